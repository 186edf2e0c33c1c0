import { ActionIcon, Button, Checkbox, NumberInput, Select } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import classes from "#web/reminders/reminders.module.css";
import { MAX_STEP_DAYS, MAX_STEPS, type ReminderKind, type ReminderStep } from "#shared/reminders/reminders.ts";

/** A step with a key that stays while others are removed. `days` is a text while it is no number. */
export type EditedStep = Omit<ReminderStep, "days"> & { key: number; days: number | string };

export const withKeys = (steps: ReminderStep[]): EditedStep[] => steps.map((step, key) => ({ ...step, key }));
export const withoutKeys = (steps: EditedStep[]): ReminderStep[] =>
  steps.map(({ key: _, days, ...step }) => ({ ...step, days: Number(days) }));

const kinds: ReminderKind[] = ["not_started", "due_soon", "overdue"];

type Props = { steps: EditedStep[]; errors: Record<string, string>; onChange: (steps: EditedStep[]) => void };

/** When whom is reminded: a row for each step. */
export function StepRows({ steps, errors, onChange }: Props) {
  const { t } = useTranslation();
  const change = (key: number, changed: Partial<EditedStep>) =>
    onChange(steps.map((step) => (step.key === key ? { ...step, ...changed } : step)));
  const add = () =>
    onChange([
      ...steps,
      {
        key: Math.max(-1, ...steps.map(({ key }) => key)) + 1,
        kind: "overdue",
        days: 14,
        toLearner: true,
        toManager: false,
      },
    ]);
  return (
    <>
      <div className={classes.steps}>
        {steps.map((step, at) => {
          const number = at + 1;
          const error = errors[`steps.${at}`] ?? errors[`steps.${at}.days`];
          return (
            <div key={step.key} role="group" aria-label={t("reminders.stepNumber", { number })}>
              <NumberInput
                aria-label={t("reminders.days")}
                className={classes.days as string}
                min={1}
                max={MAX_STEP_DAYS}
                allowDecimal={false}
                value={step.days}
                error={error !== undefined}
                onChange={(days) => change(step.key, { days })}
              />
              <Select
                aria-label={t("reminders.kind")}
                className={classes.kind as string}
                data={kinds.map((value) => ({ value, label: t(`reminders.kinds.${value}`) }))}
                value={step.kind}
                allowDeselect={false}
                onChange={(kind) => change(step.key, { kind: kind as ReminderKind })}
              />
              <Checkbox
                label={t("reminders.toLearner")}
                checked={step.toLearner}
                onChange={({ currentTarget }) => change(step.key, { toLearner: currentTarget.checked })}
              />
              <Checkbox
                label={t("reminders.toManager")}
                checked={step.toManager}
                onChange={({ currentTarget }) => change(step.key, { toManager: currentTarget.checked })}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                className={classes.remove as string}
                disabled={steps.length === 1}
                aria-label={t("reminders.removeStep", { number })}
                onClick={() => onChange(steps.filter(({ key }) => key !== step.key))}
              >
                <IconTrash size={18} stroke={1.7} />
              </ActionIcon>
              {error !== undefined && (
                <p className={classes.error} role="alert">
                  {error}
                </p>
              )}
            </div>
          );
        })}
      </div>
      <Button
        variant="subtle"
        size="sm"
        leftSection={<IconPlus size={16} stroke={1.7} />}
        disabled={steps.length >= MAX_STEPS}
        onClick={add}
      >
        {t("reminders.addStep")}
      </Button>
    </>
  );
}
