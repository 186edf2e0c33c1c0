import { CloseButton, Select, TextInput } from "@mantine/core";
import {
  type Icon,
  IconAward,
  IconClock,
  IconCursorText,
  IconEye,
  IconListCheck,
  IconPackage,
  IconTarget,
  IconTargetArrow,
  IconUserCheck,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { DraftTest } from "#web/completionRules/draftRule.ts";
import classes from "#web/completionRules/rules.module.css";
import { formatNumber } from "#web/core/format/format.ts";
import { testText } from "#web/courses/ruleText.ts";
import { comparisons } from "#shared/conditions/conditions.ts";
import { type CompletionKind, type CourseKind, isWrittenHere } from "#shared/courses/completionRules.ts";

/** What a rule of a course can ask for. */
export type Choices = {
  kind: CourseKind;
  parts: { sco: string; title: string; isLive: boolean }[];
  variables: { key: string; label: string }[];
};

const icons: Record<CompletionKind, Icon> = {
  reported: IconListCheck,
  passed: IconAward,
  score: IconTarget,
  opened: IconEye,
  confirmed: IconUserCheck,
  part: IconPackage,
  partScore: IconTargetArrow,
  time: IconClock,
  variable: IconCursorText,
};

type Props = {
  test: DraftTest;
  number: number;
  choices: Choices;
  met: { count: number; of: number } | null;
  onChange: (test: DraftTest) => void;
  onRemove: (() => void) | undefined;
};

/** One condition as a sentence with its fields, and how many learners meet it. */
export function RuleTest({ test, number, choices, met, onChange, onRemove }: Props) {
  const { t } = useTranslation();
  const Sign = icons[test.kind];
  return (
    <div className={classes.test}>
      <span className={classes.sign} aria-hidden>
        <Sign size={18} stroke={1.7} />
      </span>
      <span className={classes.sentence}>
        <Sentence test={test} number={number} choices={choices} onChange={onChange} />
        <Hint kind={test.kind} of={choices.kind} />
      </span>
      <span className={classes.met}>
        {met && t("completionRules.met", { count: met.count, met: formatNumber(met.count), of: formatNumber(met.of) })}
      </span>
      {onRemove ? (
        <CloseButton aria-label={t("conditions.remove", { number })} onClick={onRemove} />
      ) : (
        <span className={classes.noRemove} />
      )}
    </div>
  );
}

/** What a condition means in a course of this kind. */
function Hint({ kind, of }: { kind: CompletionKind; of: CourseKind }) {
  const { t } = useTranslation();
  const text = () => {
    if (kind === "time") return t("completionRules.timeHint");
    if (kind === "confirmed") return t("courses.rule.confirmed.text");
    if (kind !== "reported" && kind !== "passed" && kind !== "score" && kind !== "opened") return null;
    if (isWrittenHere(of)) return t(`courses.rule.ofLessons.${kind}.text`);
    if (of === "html" && kind === "reported") return t("courses.rule.reportedByPage");
    if (of === "html" && kind === "score") return t("courses.rule.scoreByPage");
    return t(`courses.rule.${kind}.text`);
  };
  const shown = text();
  return shown && <span className={classes.meaning}>{shown}</span>;
}

type SentenceProps = Pick<Props, "test" | "number" | "choices" | "onChange">;

function Sentence({ test, number, choices, onChange }: SentenceProps) {
  const { t } = useTranslation();
  const amount = (suffix: string) => (
    <TextInput
      className={classes.amount}
      aria-label={t("conditions.value", { number })}
      inputMode="numeric"
      autoComplete="off"
      maxLength={6}
      rightSection={suffix}
      rightSectionWidth={44}
      value={test.value}
      error={!isAmount(test)}
      onChange={(event) => onChange({ ...test, value: event.currentTarget.value })}
    />
  );
  const part = (
    <Select
      className={classes.part}
      aria-label={t("completionRules.part", { number })}
      allowDeselect={false}
      searchable={choices.parts.length > 8}
      data={choices.parts.map(({ sco, title, isLive }) => ({
        value: sco,
        label: isLive ? title : t("completionRules.notLive", { title }),
      }))}
      value={test.sco || null}
      onChange={(sco) => onChange({ ...test, sco: sco ?? "" })}
    />
  );
  switch (test.kind) {
    case "score":
      return (
        <>
          {t("completionRules.scoreAtLeast")} {amount("%")}
        </>
      );
    case "time":
      return (
        <>
          {t("completionRules.timeAtLeast")} {amount("min")}
        </>
      );
    case "part":
      return (
        <>
          {part}
          <Select
            className={classes.is}
            aria-label={t("conditions.comparison", { number })}
            allowDeselect={false}
            data={(["done", "passed"] as const).map((value) => ({ value, label: t(`completionRules.is.${value}`) }))}
            value={test.is}
            onChange={(is) => onChange({ ...test, is: is ?? "done" })}
          />
        </>
      );
    case "partScore":
      return (
        <>
          {part} {t("completionRules.atLeast")} {amount("%")}
        </>
      );
    case "variable":
      return <VariableSentence test={test} number={number} choices={choices} onChange={onChange} />;
    default:
      return <>{capital(testText({ kind: test.kind }, choices.kind))}</>;
  }
}

function VariableSentence({ test, number, choices, onChange }: SentenceProps) {
  const { t } = useTranslation();
  const needsValue = test.is !== "set" && test.is !== "notSet";
  return (
    <>
      <Select
        className={classes.part}
        aria-label={t("conditions.subjects.variable")}
        placeholder={t("conditions.choose")}
        searchable
        allowDeselect={false}
        data={choices.variables.map(({ key, label }) => ({ value: key, label: label || key }))}
        value={test.key || null}
        onChange={(key) => onChange({ ...test, key: key ?? "" })}
      />
      <Select
        className={classes.is}
        aria-label={t("conditions.comparison", { number })}
        allowDeselect={false}
        data={[...comparisons, "set" as const, "notSet" as const].map((value) => ({
          value,
          label: t(`conditions.is.${value}`),
        }))}
        value={test.is}
        onChange={(is) => onChange({ ...test, is: is ?? "equal" })}
      />
      {needsValue && (
        <TextInput
          className={classes.value}
          aria-label={t("conditions.value", { number })}
          autoComplete="off"
          maxLength={1000}
          value={test.value}
          onChange={(event) => onChange({ ...test, value: event.currentTarget.value })}
        />
      )}
    </>
  );
}

const MAX_MINUTES = 10_000;
/** Percent from 1 to 100, or whole minutes. */
function isAmount({ kind, value }: DraftTest) {
  const number = Number(value.replace(",", "."));
  if (value.trim() === "" || Number.isNaN(number) || number < 1) return false;
  return kind === "time" ? Number.isInteger(number) && number <= MAX_MINUTES : number <= 100;
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
