import { Radio, Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "#web/completionRules/rules.module.css";
import type { RuleChange } from "#shared/completionRules/ruleChanges.ts";

type Props = { change: RuleChange; keeps: boolean; onChange: (keeps: boolean) => void };

/** What becomes of learners who are complete and would not be. */
export function KeepsField({ change: { certificates }, keeps, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <Radio.Group
      className={classes.keeps}
      label={t("completionRules.keeps.label")}
      value={keeps ? "keeps" : "reopens"}
      onChange={(value) => onChange(value === "keeps")}
    >
      <Stack gap="sm" mt="sm">
        <Radio
          value="keeps"
          label={t("completionRules.keeps.stays")}
          description={t("completionRules.keeps.staysText", { count: certificates })}
        />
        <Radio
          value="reopens"
          label={t("completionRules.keeps.reopens")}
          description={t("completionRules.keeps.reopensText", { count: certificates })}
        />
      </Stack>
    </Radio.Group>
  );
}
