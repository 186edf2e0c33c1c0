import { Button } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { messageOf } from "#web/core/http/messages.ts";
import { PastDialog } from "#web/enrolmentRules/PastDialog.tsx";
import { PeopleDialog } from "#web/enrolmentRules/PeopleDialog.tsx";
import { PreviewCounts } from "#web/enrolmentRules/PreviewCounts.tsx";
import classes from "#web/enrolmentRules/enrolmentRules.module.css";
import { useRuleActions } from "#web/enrolmentRules/useRuleActions.ts";
import type { Saving } from "#web/enrolmentRules/useSaveRule.tsx";
import { type RuleNames, testText } from "#web/groups/ruleText.ts";
import type { PersonCondition } from "#shared/conditions/conditions.ts";
import { findContradiction } from "#shared/conditions/neverTrue.ts";
import {
  enrolmentRules,
  type PreviewPart,
  type RuleDetail,
  type RuleDraft,
} from "#shared/enrolmentRules/enrolmentRules.ts";

const WAIT_MS = 400;
type Props = {
  rule?: RuleDetail | undefined;
  isDirty: boolean;
  names: RuleNames;
  condition: PersonCondition | null | undefined;
  /** Null while the rule is unfinished. */
  draft: RuleDraft | null;
  saving: Saving;
};

/** Whom the rule would enrol while it is edited, and the buttons that save it. Nothing is stored before. */
export function RuleEffect({ rule, isDirty, names, condition, draft, saving }: Props) {
  const { t } = useTranslation();
  const [part, setPart] = useState<PreviewPart | null>(null);
  const [isTrying, setTrying] = useState(false);
  const asked = draft && {
    companyId: draft.companyId,
    condition: draft.condition,
    courseIds: draft.courseIds,
    due: draft.due,
    people: draft.people,
    ...(draft.id && { id: draft.id }),
  };
  const [debounced] = useDebouncedValue(JSON.stringify(asked), WAIT_MS);
  const body = JSON.parse(debounced) as RuleDraft | null;
  const contradiction = condition ? findContradiction(condition) : null;
  const { data, error, isFetching } = useQuery({
    ...pagedQueryFor(enrolmentRules.preview, { body: body as RuleDraft }),
    enabled: body !== null && contradiction === null && !saving.isBusy,
    retry: false,
  });
  const isCurrent = debounced === JSON.stringify(asked) && !isFetching;
  const [first, second] = contradiction?.map((test) => testText(test, names)) ?? [];
  const isReady = draft !== null && contradiction === null && !error;
  return (
    <section className={classes.effect} aria-labelledby="rule-effect">
      <h2 id="rule-effect">{t("enrolmentRules.preview.title")}</h2>
      <div aria-live="polite">
        {contradiction && (
          <p role="alert">
            {first === second
              ? t("conditions.neverTrueAlone", { first })
              : t("conditions.neverTrue", { first, second })}
          </p>
        )}
        {!contradiction && !draft && <p>{t("enrolmentRules.preview.unfinished")}</p>}
        {isReady && !data && <p>{t("enrolmentRules.preview.counting")}</p>}
        {isReady && data && <PreviewCounts preview={data} people={draft.people} onShow={setPart} />}
        {!contradiction && draft && error && <p role="alert">{messageOf(error)}</p>}
      </div>
      {isReady && data && (
        <p>
          <Button variant="subtle" size="compact-sm" onClick={() => setTrying(true)}>
            {t("enrolmentRules.past.action")}
          </Button>
        </p>
      )}
      {saving.failure !== null && saving.failure !== undefined && <p role="alert">{messageOf(saving.failure)}</p>}
      <Buttons
        rule={rule}
        isDirty={isDirty}
        isReady={isReady}
        fresh={isCurrent ? data?.fresh : undefined}
        saving={saving}
      />
      {part && body && <PeopleDialog draft={body} part={part} onClose={() => setPart(null)} />}
      {isTrying && body && <PastDialog draft={body} onClose={() => setTrying(false)} />}
    </section>
  );
}

type ButtonProps = Pick<Props, "rule" | "isDirty" | "saving"> & {
  isReady: boolean;
  /** Undefined while it is counted. */
  fresh: number | undefined;
};

/** What is saved is what the preview shows: switching on waits for its number. */
function Buttons({ rule, isDirty, isReady, fresh, saving }: ButtonProps) {
  const { t } = useTranslation();
  const { setState } = useRuleActions();
  const isActive = rule?.state === "active";
  return (
    <>
      <div className={classes.buttons}>
        {isActive && (
          <Button variant="default" disabled={isDirty || saving.isBusy} onClick={() => void setState(rule, "paused")}>
            {t("enrolmentRules.pause")}
          </Button>
        )}
        {!isActive && (
          <Button
            variant="default"
            disabled={!isReady || saving.isBusy || (rule !== undefined && !isDirty)}
            onClick={() => void saving.save()}
          >
            {t(rule && rule.state !== "draft" ? "enrolmentRules.save" : "enrolmentRules.saveDraft")}
          </Button>
        )}
        <Button
          loading={saving.isBusy}
          disabled={!isReady || fresh === undefined || (isActive && !isDirty)}
          onClick={() => void saving.save(isActive ? undefined : "active")}
        >
          {isActive && !fresh ? t("enrolmentRules.save") : t("enrolmentRules.saveAndEnrol", { count: fresh ?? 0 })}
        </Button>
      </div>
      <p className={classes.hint}>{t("enrolmentRules.undoHint")}</p>
    </>
  );
}
