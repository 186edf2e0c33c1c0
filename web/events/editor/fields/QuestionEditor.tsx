import { Checkbox, Group, NativeSelect, NumberInput, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import classes from "#web/events/editor/EventEditor.module.css";
import type { EventForm } from "#web/events/editor/useEventForm.ts";
import { type Question, questionKind } from "#shared/events/eventQuestions.ts";

const hasOptions = (kind: Question["kind"]) => kind === "choice" || kind === "choices" || kind === "select";
const linesOf = (text: string) => [
  ...new Set(
    text
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean),
  ),
];
type Props = { form: EventForm; index: number; question: Question; previous: Question[] };

/** A question: text, answer type, condition and retention period. */
export function QuestionEditor({ form, index, question, previous }: Props) {
  const { t } = useTranslation();
  const path = `questions.${index}` as const;
  const set = (change: Partial<Question>) => form.setFieldValue(path, { ...question, ...change });
  const [optionsText, setOptionsText] = useState(question.options.join("\n"));
  const conditions = previous.filter(({ kind }) => hasOptions(kind) || kind === "checkbox");
  const condition = conditions.find(({ id }) => id === question.showIf?.questionId);
  return (
    <>
      <div className={classes.pair}>
        <TextInput label={t("events.edit.label")} maxLength={300} {...form.getInputProps(`${path}.label`)} />
        <NativeSelect
          label={t("events.edit.kind")}
          value={question.kind}
          data={questionKind.options.map((value) => ({ value, label: t(`events.questionKind.${value}`) }))}
          onChange={(event) => set({ kind: event.currentTarget.value as Question["kind"] })}
        />
      </div>
      {hasOptions(question.kind) && (
        <Textarea
          label={t("events.edit.options")}
          description={t("events.edit.optionsHint")}
          autosize
          minRows={3}
          value={optionsText}
          error={form.errors[`${path}.options`]}
          onChange={(event) => {
            setOptionsText(event.currentTarget.value);
            set({ options: linesOf(event.currentTarget.value) });
          }}
        />
      )}
      <TextInput
        label={<OptionalLabel>{t("events.edit.help")}</OptionalLabel>}
        maxLength={500}
        {...form.getInputProps(`${path}.help`)}
      />
      {conditions.length > 0 && (
        <div className={classes.pair}>
          <NativeSelect
            label={t("events.edit.showIf")}
            value={question.showIf?.questionId ?? ""}
            error={form.errors[`${path}.showIf`]}
            data={[
              { value: "", label: t("events.edit.always") },
              ...conditions.map(({ id, label }, index) => ({
                value: id,
                label: t("events.edit.when", { label: label || t("events.edit.question", { number: index + 1 }) }),
              })),
            ]}
            onChange={(event) => {
              const chosen = conditions.find(({ id }) => id === event.currentTarget.value);
              set({
                showIf: chosen
                  ? { questionId: chosen.id, equals: chosen.kind === "checkbox" ? "yes" : (chosen.options[0] ?? "") }
                  : null,
              });
            }}
          />
          {question.showIf && condition && condition.kind !== "checkbox" && (
            <NativeSelect
              label={t("events.edit.equals")}
              value={question.showIf.equals}
              data={[...new Set([...condition.options, question.showIf.equals])]}
              onChange={(event) => set({ showIf: { questionId: condition.id, equals: event.currentTarget.value } })}
            />
          )}
        </div>
      )}
      <Group gap="lg" align="flex-end">
        <Checkbox
          size="sm"
          label={t("events.edit.required")}
          checked={question.required}
          onChange={(event) => set({ required: event.currentTarget.checked })}
          mb={8}
        />
        <NumberInput
          label={<OptionalLabel>{t("events.edit.retention")}</OptionalLabel>}
          w={300}
          min={1}
          max={3650}
          allowDecimal={false}
          value={question.retentionDays ?? ""}
          error={form.errors[`${path}.retentionDays`]}
          onChange={(value) => set({ retentionDays: value === "" ? null : Number(value) })}
        />
      </Group>
    </>
  );
}
