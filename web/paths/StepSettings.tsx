import { MultiSelect, NumberInput, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/paths/paths.module.css";
import { MAX_STEP_DAYS, type PathStep, titleOf } from "#shared/paths/steps.ts";

type Props = {
  step: PathStep;
  steps: PathStep[];
  titles: ReadonlyMap<string, string>;
  onChange: (change: Partial<PathStep>) => void;
};

/** How many courses a step needs, which steps it waits for, and when it is due. */
export function StepSettings({ step, steps, titles, onChange }: Props) {
  const { t } = useTranslation();
  const place = steps.indexOf(step);
  // A choice stays a choice while its heading is empty.
  const [isChoice] = useState(step.title !== "");
  const number = (value: string | number) => (typeof value === "number" && value >= 1 ? Math.trunc(value) : null);
  return (
    <section className={classes.settings} aria-label={t("paths.editor.settingsOf", { number: place + 1 })}>
      <h2>{titleOf(step, titles) || t("paths.editor.settingsOf", { number: place + 1 })}</h2>
      {(isChoice || step.courseIds.length > 1) && (
        <>
          <TextInput
            label={t("paths.editor.choiceTitle")}
            maxLength={120}
            autoComplete="off"
            value={step.title}
            onChange={(event) => onChange({ title: event.currentTarget.value })}
          />
          <Select
            label={t("paths.editor.needed")}
            description={t("paths.editor.extra", { count: step.needed })}
            allowDeselect={false}
            value={String(step.needed)}
            data={step.courseIds.map((_, at) => ({
              value: String(at + 1),
              label: t("paths.editor.neededOf", { needed: at + 1, offered: step.courseIds.length }),
            }))}
            onChange={(value) => onChange({ needed: Number(value) })}
          />
        </>
      )}
      <MultiSelect
        label={t("paths.editor.opensAfter")}
        placeholder={step.after.length === 0 ? t("paths.editor.opensAtOnce") : ""}
        data={steps.slice(0, place).map((other, at) => ({
          value: other.id,
          label: `${at + 1}. ${titleOf(other, titles)}`,
        }))}
        value={step.after}
        disabled={place === 0}
        onChange={(after) => onChange({ after })}
      />
      <NumberInput
        label={t("paths.editor.due")}
        description={t("paths.editor.dueHint")}
        min={1}
        max={MAX_STEP_DAYS}
        clampBehavior="strict"
        allowDecimal={false}
        value={step.dueDays ?? ""}
        onChange={(value) => onChange({ dueDays: number(value) })}
      />
    </section>
  );
}
