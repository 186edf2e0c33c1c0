import { Button, CloseButton, SegmentedControl, Select, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { comparisonsOf, type DraftRule, type DraftTest, newTest } from "#web/groups/draftTests.ts";
import classes from "#web/groups/groups.module.css";
import type { RuleChoices } from "#web/groups/useRuleChoices.ts";
import { DayInput } from "#web/learners/DayInput.tsx";
import { MAX_TESTS } from "#shared/conditions/conditions.ts";
import { userStatus } from "#shared/core/users.ts";

type Props = { rule: DraftRule; choices: RuleChoices; onChange: (rule: DraftRule) => void };

/** The conditions of a rule: all or any of them, and one group of alternatives. */
export function RuleEditor({ rule, choices, onChange }: Props) {
  const { t } = useTranslation();
  const isFull = rule.tests.length + rule.any.length >= MAX_TESTS;
  const first = (): DraftTest => newTest(choices.fields[0] ? `field:${choices.fields[0].id}` : "status");
  const add = (part: "tests" | "any") => onChange({ ...rule, [part]: [...rule[part], first()] });
  const rows = (part: "tests" | "any", offset: number) =>
    rule[part].map((test, at) => (
      <TestRow
        key={test.id}
        test={test}
        number={offset + at + 1}
        choices={choices}
        onChange={(next) => onChange({ ...rule, [part]: rule[part].with(at, next) })}
        onRemove={() => onChange({ ...rule, [part]: rule[part].toSpliced(at, 1) })}
      />
    ));
  const addButton = (part: "tests" | "any") => (
    <Button
      variant="subtle"
      size="compact-sm"
      disabled={isFull}
      leftSection={<IconPlus size={16} stroke={1.8} />}
      onClick={() => add(part)}
    >
      {t("conditions.add")}
    </Button>
  );
  return (
    <div className={classes.rule}>
      {rule.tests.length + Math.min(1, rule.any.length) > 1 && (
        <SegmentedControl
          size="sm"
          aria-label={t("conditions.match")}
          value={rule.match}
          data={(["all", "any"] as const).map((value) => ({ value, label: t(`conditions.matches.${value}`) }))}
          onChange={(match) => onChange({ ...rule, match: match as "all" | "any" })}
        />
      )}
      {rows("tests", 0)}
      {rule.any.length > 0 && (
        <fieldset className={classes.inner}>
          <legend>{t(`conditions.matches.${rule.match === "all" ? "any" : "all"}`)}</legend>
          {rows("any", rule.tests.length)}
          {addButton("any")}
        </fieldset>
      )}
      <div className={classes.adding}>
        {addButton("tests")}
        {rule.any.length === 0 && rule.tests.length > 0 && (
          <Button variant="subtle" size="compact-sm" disabled={isFull} onClick={() => add("any")}>
            {t(`conditions.addInner.${rule.match === "all" ? "any" : "all"}`)}
          </Button>
        )}
      </div>
    </div>
  );
}

type RowProps = {
  test: DraftTest;
  number: number;
  choices: RuleChoices;
  onChange: (test: DraftTest) => void;
  onRemove: () => void;
};

function TestRow({ test, number, choices, onChange, onRemove }: RowProps) {
  const { t } = useTranslation();
  const field = choices.fields.find(({ id }) => test.subject === `field:${id}`);
  const isDate = field?.kind === "date";
  const isLabel = (is: string) => t(`conditions.${isDate ? "dayIs" : "is"}.${is}` as "conditions.is.equal");
  const others = (["status", "joined", "group", "course", "variable"] as const).filter(
    (subject) =>
      test.subject === subject ||
      ((subject !== "group" || choices.groups.length > 0) && (subject !== "variable" || choices.variables.length > 0)),
  );
  return (
    <div className={classes.test}>
      <Select
        className={classes.subject}
        aria-label={t("conditions.subject", { number })}
        allowDeselect={false}
        searchable={choices.fields.length > 8}
        data={[
          ...(choices.fields.length > 0
            ? [
                {
                  group: t("conditions.subjects.fields"),
                  items: choices.fields.map(({ id, name }) => ({ value: `field:${id}`, label: name })),
                },
              ]
            : []),
          {
            group: t("conditions.subjects.other"),
            items: others.map((value) => ({ value, label: t(`conditions.subjects.${value}`) })),
          },
        ]}
        value={test.subject}
        onChange={(value) => {
          const subject = value as DraftTest["subject"];
          const kind = choices.fields.find(({ id }) => subject === `field:${id}`)?.kind;
          onChange({ ...newTest(subject), id: test.id, is: comparisonsOf(subject, kind)[0] ?? "equal" });
        }}
      />
      {test.subject === "variable" && (
        <Select
          className={classes.value}
          aria-label={t("conditions.subjects.variable")}
          placeholder={t("conditions.choose")}
          searchable
          allowDeselect={false}
          data={choices.variables}
          value={test.key || null}
          onChange={(key) => onChange({ ...test, key: key ?? "" })}
        />
      )}
      <Select
        className={classes.is}
        aria-label={t("conditions.comparison", { number })}
        allowDeselect={false}
        data={comparisonsOf(test.subject, field?.kind).map((value) => ({ value, label: isLabel(value) }))}
        value={test.is}
        onChange={(is) => {
          const isOtherInput = test.subject === "joined" && (is === "within") !== (test.is === "within");
          onChange({ ...test, is: is ?? test.is, ...(isOtherInput && { value: "" }) });
        }}
      />
      <ValueInput test={test} number={number} choices={choices} onChange={(value) => onChange({ ...test, value })} />
      <CloseButton className={classes.remove} aria-label={t("conditions.remove", { number })} onClick={onRemove} />
    </div>
  );
}

type ValueProps = Pick<RowProps, "test" | "number" | "choices"> & { onChange: (value: string) => void };

function ValueInput({ test, number, choices, onChange }: ValueProps) {
  const { t } = useTranslation();
  const field = choices.fields.find(({ id }) => test.subject === `field:${id}`);
  const label = { "aria-label": t("conditions.value", { number }), className: classes.value };
  if (test.is === "set" || test.is === "notSet") return null;
  const isDay = field?.kind === "date" || (test.subject === "joined" && test.is !== "within");
  if (isDay)
    return (
      <DayInput
        {...label}
        placeholder={t("conditions.choose")}
        value={test.value || null}
        onChange={(day) => onChange(day ?? "")}
      />
    );
  const offered = optionsOf(test, choices, (status) => t(`learners.is.${status}`));
  if (offered)
    return (
      <Select
        {...label}
        placeholder={t("conditions.choose")}
        searchable={offered.length > 8}
        allowDeselect={false}
        data={offered}
        value={test.value || null}
        onChange={(value) => onChange(value ?? "")}
      />
    );
  const isNumber = field?.kind === "number" || test.subject === "joined";
  return (
    <TextInput
      {...label}
      autoComplete="off"
      maxLength={1000}
      {...(isNumber && { inputMode: "decimal" as const })}
      {...(test.subject === "joined" && { rightSection: t("conditions.days"), rightSectionWidth: 56 })}
      value={test.value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** The values to choose from; undefined for a test with a text or a number. */
function optionsOf({ subject }: DraftTest, choices: RuleChoices, statusText: (status: "active") => string) {
  if (subject === "status") return userStatus.options.map((value) => ({ value, label: statusText(value as "active") }));
  if (subject === "group") return choices.groups;
  if (subject === "course") return choices.courses;
  const field = choices.fields.find(({ id }) => subject === `field:${id}`);
  return field?.kind === "choice" ? field.choices.map(({ id, name }) => ({ value: id, label: name })) : undefined;
}
