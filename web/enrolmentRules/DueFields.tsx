import { NumberInput, Select } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "#web/enrolmentRules/enrolmentRules.module.css";
import type { RuleDraft } from "#web/enrolmentRules/ruleDraft.ts";
import { DayInput } from "#web/learners/DayInput.tsx";
import { MAX_DUE_DAYS } from "#shared/enrolmentRules/due.ts";

const kinds = ["assigned", "joined", "day", "none"] as const;
type Props = {
  draft: RuleDraft;
  error?: string | undefined;
  onChange: (change: Partial<RuleDraft>) => void;
};

/** When the courses are due. */
export function DueFields({ draft: { dueKind, days, day }, error, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <div className={classes.due}>
        {(dueKind === "assigned" || dueKind === "joined") && (
          <NumberInput
            className={classes.days}
            aria-label={t("enrolmentRules.days")}
            min={1}
            max={MAX_DUE_DAYS}
            allowDecimal={false}
            allowNegative={false}
            value={days}
            error={error !== undefined}
            onChange={(value) => onChange({ days: typeof value === "number" ? value : "" })}
          />
        )}
        <Select
          className={classes.kind}
          aria-label={t("enrolmentRules.dueKind")}
          allowDeselect={false}
          value={dueKind}
          data={kinds.map((value) => ({ value, label: t(`enrolmentRules.dueKinds.${value}`) }))}
          onChange={(kind) => onChange({ dueKind: (kind ?? dueKind) as RuleDraft["dueKind"] })}
        />
        {dueKind === "day" && (
          <DayInput
            aria-label={t("enrolmentRules.day")}
            placeholder={t("conditions.choose")}
            value={day}
            error={error !== undefined}
            onChange={(next) => onChange({ day: next })}
          />
        )}
      </div>
      {error ? (
        <p className={classes.bad} role="alert">
          {error}
        </p>
      ) : (
        <p className={classes.hint}>{t(`enrolmentRules.dueHint.${dueKind}`)}</p>
      )}
    </>
  );
}
