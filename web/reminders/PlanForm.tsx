import { Alert, Button, Checkbox, Select } from "@mantine/core";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { useConflict } from "#web/core/dialog/useConflict.tsx";
import { UnsavedGuard } from "#web/core/dialog/UnsavedGuard.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { formatDate } from "#web/core/format/format.ts";
import { messageOf } from "#web/core/http/messages.ts";
import { toast } from "#web/core/toast/toast.ts";
import { ReminderPreview } from "#web/reminders/ReminderPreview.tsx";
import { type EditedStep, StepRows, withKeys, withoutKeys } from "#web/reminders/StepRows.tsx";
import { stepText } from "#web/reminders/stepTexts.ts";
import classes from "#web/reminders/reminders.module.css";
import { type ReminderPlan, reminders, type ReminderStep, type ReminderTerms } from "#shared/reminders/reminders.ts";

type Props = {
  companyId: string;
  plan: ReminderPlan;
  onDirty: (isDirty: boolean) => void;
  onSaved: (plan: ReminderPlan) => void;
};

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: `${hour}`,
  label: `${`${hour}`.padStart(2, "0")}:00`,
}));

/** The steps of a company beside the emails that they lead to, before they are saved. */
export function PlanForm({ companyId, plan, onDirty, onSaved }: Props) {
  const { t } = useTranslation();
  const [steps, setSteps] = useState<EditedStep[]>(() => withKeys(plan.steps));
  const [hour, setHour] = useState(plan.hour);
  const [skipsWeekends, setSkipsWeekends] = useState(plan.skipsWeekends);
  const [isDirty, setDirty] = useState(false);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const { failure, setFailure, attempt } = useFormErrors(setErrors, { toField: (path) => path.replace("terms.", "") });
  const update = useApiMutation(reminders.save, { quiet: true });
  const change = () => {
    setDirty(true);
    onDirty(true);
    setErrors({});
    setFailure(null);
  };
  const termsWith = (isOn: boolean): ReminderTerms => ({ isOn, hour, skipsWeekends, steps: withoutKeys(steps) });
  const send = async (isOn: boolean, version: number) => {
    const saved = await update.mutateAsync({ params: { id: companyId }, body: { terms: termsWith(isOn), version } });
    setDirty(false);
    const switched = isOn ? "reminders.savedOn" : "reminders.savedOff";
    toast.done(t(isOn === plan.isOn ? "reminders.saved" : switched));
    onSaved(saved);
  };
  const save = (isOn: boolean, version = plan.version): Promise<void> =>
    attempt(
      () => send(isOn, version),
      (error) => conflict.handleError(error, termsWith(isOn)),
    );
  const conflict = useConflict<Omit<ReminderPlan, "updatedAt">>({
    labels: {
      isOn: t("reminders.title"),
      hour: t("reminders.hour"),
      skipsWeekends: t("reminders.skipsWeekends"),
      steps: t("reminders.steps"),
    },
    formatValue: (field, value) => {
      if (field === "isOn") return t(value ? "reminders.isOn" : "reminders.isOff");
      if (field === "skipsWeekends") return t(value ? "core.yes" : "core.no");
      if (field === "steps") return (value as ReminderStep[]).map((step) => stepText(step)).join("; ");
      return hours[Number(value)]?.label ?? String(value);
    },
    onKeepMine: (mine, version) => save((mine as Partial<ReminderTerms>).isOn ?? plan.isOn, version),
    onTakeTheirs: (theirs) => onSaved({ ...theirs, updatedAt: null }),
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    void save(plan.isOn);
  };
  return (
    <div className={classes.columns}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <p className={classes.lead}>
          {plan.isOn ? t("reminders.onHint", { day: formatDate(plan.startsOn) }) : t("reminders.offHint")}
        </p>
        {!plan.hasMailServer && (
          <Alert color="yellow" mb={16}>
            {t("reminders.noMailServer")}
          </Alert>
        )}
        <h2 className={classes.heading}>{t("reminders.steps")}</h2>
        <p className={classes.dim}>{t("reminders.stepsHint")}</p>
        <StepRows
          steps={steps}
          errors={errors}
          onChange={(next) => {
            setSteps(next);
            change();
          }}
        />
        <div className={classes.sending}>
          <Select
            label={t("reminders.hour")}
            description={t("reminders.hourHint", { zone: plan.zone })}
            data={hours}
            value={`${hour}`}
            allowDeselect={false}
            onChange={(value) => {
              setHour(Number(value));
              change();
            }}
          />
          <Checkbox
            label={t("reminders.skipsWeekends")}
            description={t("reminders.skipsWeekendsHint")}
            checked={skipsWeekends}
            onChange={({ currentTarget }) => {
              setSkipsWeekends(currentTarget.checked);
              change();
            }}
          />
        </div>
        {failure !== null && (
          <Alert color="red" role="alert">
            {messageOf(failure)}
          </Alert>
        )}
        <div className={classes.buttons}>
          <Button
            type="submit"
            variant={plan.isOn ? "filled" : "default"}
            loading={update.isPending}
            disabled={!isDirty}
          >
            {t("reminders.save")}
          </Button>
          <Button
            variant={plan.isOn ? "default" : "filled"}
            disabled={update.isPending}
            onClick={() => void save(!plan.isOn)}
          >
            {t(plan.isOn ? "reminders.switchOff" : "reminders.switchOn")}
          </Button>
        </div>
      </form>
      <ReminderPreview companyId={companyId} plan={plan} terms={termsWith(plan.isOn)} isDirty={isDirty} />
      <UnsavedGuard when={isDirty} />
      {conflict.dialog}
    </div>
  );
}
