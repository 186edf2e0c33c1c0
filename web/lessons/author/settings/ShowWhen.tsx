import { Autocomplete, Button, CloseButton, SegmentedControl, Select, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { i18n } from "#web/core/i18n.ts";
import { useAuthor } from "#web/lessons/author/authorContext.ts";
import { choicesOf } from "#web/lessons/author/scenario/steps.ts";
import { changeSettings, type Settings } from "#web/lessons/author/settings/settings.ts";
import classes from "#web/lessons/author/settings/settings.module.css";
import {
  condition as conditionSchema,
  type Condition,
  type ConditionTest,
  MAX_TESTS,
} from "#shared/conditions/conditions.ts";

const COMPARED = ["equal", "notEqual", "more", "atLeast", "less", "atMost", "contains", "set", "notSet"] as const;
const ANSWERED = ["right", "wrong", "answered", "notAnswered", "chosen", "notChosen"] as const;
type Question = { id: string; text: string; choices: { id: string; text: string }[] };

/** The questions and scenarios of the lesson above a block: later ones have no answer yet. */
function questionsBefore({ editor, pos }: Settings): Question[] {
  const list: Question[] = [];
  editor.state.doc.forEach((block, at) => {
    if (at >= pos) return;
    if (block.type.name === "scenario")
      list.push({
        id: String(block.attrs["id"]),
        text: String(block.attrs["title"]) || i18n.t("lessonDrafts.blocks.scenario.name"),
        choices: choicesOf(block),
      });
    if (block.type.name !== "question") return;
    const choices = block.children
      .filter(({ type }) => type.name === "choice")
      .map((choice) => ({ id: String(choice.attrs["id"]), text: choice.firstChild?.textContent || "…" }));
    list.push({ id: String(block.attrs["id"]), text: block.firstChild?.textContent || "…", choices });
  });
  return list;
}

/** For whom a block is shown: tests of variables and answers, all or any of which hold. */
export function ShowWhen({ of }: { of: Settings }) {
  const { t } = useTranslation();
  const condition = conditionSchema.safeParse(of.node.attrs["showWhen"]).data ?? null;
  const set = (next: Condition | null) => changeSettings(of, { showWhen: next });
  const questions = questionsBefore(of);
  const setTests = (tests: Condition["tests"]) =>
    set(tests.length > 0 ? { match: condition?.match ?? "all", tests } : null);
  const tests = condition?.tests ?? [];
  const first = (): ConditionTest =>
    questions.length > 0
      ? { kind: "answer", block: questions.at(-1)!.id, is: "right" }
      : { kind: "variable", key: "variable", is: "set" };
  return (
    <section className={classes.part}>
      <h3 className={classes.heading}>{t("lessonDrafts.settings.showWhen")}</h3>
      {tests.length === 0 && <p className={classes.dim}>{t("lessonDrafts.settings.everyone")}</p>}
      {tests.length > 1 && condition && (
        <SegmentedControl
          size="xs"
          fullWidth
          aria-label={t("lessonDrafts.settings.match")}
          value={condition.match}
          data={(["all", "any"] as const).map((value) => ({
            value,
            label: t(`lessonDrafts.settings.matches.${value}`),
          }))}
          onChange={(match) => set({ ...condition, match: match as "all" | "any" })}
        />
      )}
      {tests.map((test, at) =>
        "tests" in test ? (
          <p key={at} className={classes.dim}>
            {t("lessonDrafts.settings.group")}
          </p>
        ) : (
          <Test
            key={at}
            test={test}
            questions={questions}
            onChange={(next) => setTests(tests.with(at, next))}
            onRemove={() => setTests(tests.toSpliced(at, 1))}
          />
        ),
      )}
      {tests.length < MAX_TESTS && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={16} stroke={1.8} />}
          onClick={() => setTests([...tests, first()])}
        >
          {t("lessonDrafts.settings.addCondition")}
        </Button>
      )}
    </section>
  );
}

type TestProps = {
  test: ConditionTest;
  questions: Question[];
  onChange: (test: ConditionTest) => void;
  onRemove: () => void;
};
function Test({ test, questions, onChange, onRemove }: TestProps) {
  const { t } = useTranslation();
  const question = test.kind === "answer" ? questions.find(({ id }) => id === test.block) : undefined;
  return (
    <div className={classes.test}>
      <div className={classes.testHead}>
        <Select
          size="xs"
          flex={1}
          allowDeselect={false}
          aria-label={t("lessonDrafts.settings.testOf")}
          value={test.kind === "answer" ? test.block : "variable"}
          data={[
            { value: "variable", label: t("lessonDrafts.settings.aVariable") },
            ...questions.map(({ id, text }) => ({ value: id, label: text.slice(0, 80) })),
            ...(test.kind === "answer" && !question
              ? [{ value: test.block, label: t("lessonDrafts.condition.goneQuestion") }]
              : []),
          ]}
          onChange={(value) =>
            value &&
            onChange(
              value === "variable"
                ? { kind: "variable", key: "variable", is: "set" }
                : { kind: "answer", block: value, is: "right" },
            )
          }
        />
        <CloseButton size="sm" aria-label={t("lessonDrafts.settings.removeCondition")} onClick={onRemove} />
      </div>
      {test.kind === "variable" ? (
        <VariableTest test={test} onChange={onChange} />
      ) : (
        <>
          <Select
            size="xs"
            allowDeselect={false}
            aria-label={t("lessonDrafts.settings.is")}
            value={test.is}
            data={ANSWERED.filter((is) => question?.choices.length || !/chosen/i.test(is)).map((is) => ({
              value: is,
              label: t(`lessonDrafts.settings.answerIs.${is}`),
            }))}
            onChange={(value) => {
              const is = value as (typeof ANSWERED)[number];
              const choice = "choice" in test ? test.choice : (question?.choices[0]?.id ?? "");
              if (is === "chosen" || is === "notChosen") onChange({ kind: "answer", block: test.block, is, choice });
              else onChange({ kind: "answer", block: test.block, is });
            }}
          />
          {"choice" in test && (
            <Select
              size="xs"
              allowDeselect={false}
              aria-label={t("lessonDrafts.settings.choice")}
              value={test.choice}
              data={(question?.choices ?? []).map(({ id, text }) => ({ value: id, label: text.slice(0, 80) }))}
              onChange={(value) => value && onChange({ ...test, choice: value })}
            />
          )}
        </>
      )}
    </div>
  );
}

type VariableTestProps = {
  test: Extract<ConditionTest, { kind: "variable" }>;
  onChange: (test: ConditionTest) => void;
};
function VariableTest({ test, onChange }: VariableTestProps) {
  const { t } = useTranslation();
  const { variables } = useAuthor();
  const value = "value" in test ? String(test.value) : "";
  const toTest = (key: string, is: string, text: string): ConditionTest => {
    if (is === "set" || is === "notSet") return { kind: "variable", key, is };
    const number = text.trim() === "" ? Number.NaN : Number(text.replace(",", "."));
    return { kind: "variable", key, is: is as "equal", value: Number.isNaN(number) ? text : number };
  };
  return (
    <>
      <Autocomplete
        size="xs"
        aria-label={t("lessonDrafts.settings.variable")}
        data={variables.map(({ key }) => key)}
        value={test.key}
        maxLength={64}
        onChange={(key) => onChange(toTest(key || "variable", test.is, value))}
      />
      <Select
        size="xs"
        allowDeselect={false}
        aria-label={t("lessonDrafts.settings.is")}
        value={test.is}
        data={COMPARED.map((is) => ({ value: is, label: t(`lessonDrafts.settings.variableIs.${is}`) }))}
        onChange={(is) => is && onChange(toTest(test.key, is, value))}
      />
      {test.is !== "set" && test.is !== "notSet" && (
        <TextInput
          size="xs"
          aria-label={t("lessonDrafts.settings.value")}
          placeholder={t("lessonDrafts.settings.value")}
          value={value}
          maxLength={1000}
          onChange={(event) => onChange(toTest(test.key, test.is, event.currentTarget.value))}
        />
      )}
    </>
  );
}
