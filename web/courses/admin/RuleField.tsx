import { NumberInput, Radio, Stack } from "@mantine/core";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { type CompletionRule, isWrittenHere } from "#shared/courses/completionRules.ts";
import type { Course } from "#shared/courses/courses.ts";

type Props = {
  kind: Course["kind"];
  value: CompletionRule;
  onChange: (rule: CompletionRule) => void;
  error?: string | undefined;
};

const rules = ["reported", "passed", "score", "opened", "confirmed"] as const;
/** Web pages report by `Lyceum.complete`, which has no “passed”. */
const isForPage = (rule: CompletionRule["kind"]) => rule !== "passed";
const pageTexts: Partial<Record<CompletionRule["kind"], "reportedByPage" | "scoreByPage" | "unsupported">> = {
  reported: "reportedByPage",
  score: "scoreByPage",
  passed: "unsupported",
};
const DEFAULT_PERCENT = 80;

/** The name of a rule: lessons and packages say different things with the same one. */
export const ruleLabel = (t: TFunction, kind: Course["kind"], rule: CompletionRule["kind"]) =>
  isWrittenHere(kind) && rule !== "confirmed"
    ? t(`courses.rule.ofLessons.${rule}.label`)
    : t(`courses.rule.${rule}.label`);

/** The completion rule of a course. */
export function RuleField({ kind, value, onChange, error }: Props) {
  const { t } = useTranslation();
  const percent = value.kind === "score" ? value.percent : DEFAULT_PERCENT;
  const choose = (next: string) =>
    onChange(next === "score" ? { kind: "score", percent } : ({ kind: next } as CompletionRule));
  const choices = kind === "html" ? rules.filter((rule) => isForPage(rule) || rule === value.kind) : rules;
  const textOf = (rule: CompletionRule["kind"]) => {
    if (isWrittenHere(kind) && rule !== "confirmed") return t(`courses.rule.ofLessons.${rule}.text`);
    const ofPage = kind === "html" && pageTexts[rule];
    return ofPage ? t(`courses.rule.${ofPage}`) : t(`courses.rule.${rule}.text`);
  };
  return (
    <Radio.Group
      label={t("courses.rule.label")}
      description={t("courses.rule.applies")}
      value={value.kind}
      onChange={choose}
    >
      <Stack gap="sm" mt="sm">
        {choices.map((rule) => (
          <div key={rule}>
            <Radio value={rule} label={ruleLabel(t, kind, rule)} description={textOf(rule)} />
            {rule === "score" && value.kind === "score" && (
              <NumberInput
                ml={32}
                mt={8}
                w={130}
                min={1}
                max={100}
                suffix=" %"
                label={t("courses.rule.percent")}
                value={value.percent}
                error={error}
                clampBehavior="blur"
                onChange={(next) => onChange({ kind: "score", percent: Number(next) })}
              />
            )}
          </div>
        ))}
      </Stack>
    </Radio.Group>
  );
}
