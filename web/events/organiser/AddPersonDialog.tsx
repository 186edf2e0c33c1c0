import { Checkbox, Radio, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { useApiMutation } from "#web/core/api/api.ts";
import { isCode } from "#web/core/http/http.ts";
import { issuesOf } from "#web/core/http/messages.ts";
import { toast } from "#web/core/toast/toast.ts";
import { QuestionField } from "#web/events/registration/QuestionField.tsx";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { type Answers, checkAnswers, shownQuestions } from "#shared/events/eventQuestions.ts";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";
import type { AdminEvent } from "#shared/events/eventViews.ts";

const emptyForm = {
  name: "",
  email: "",
  company: "",
  attendance: "in_person" as "in_person" | "online",
  answers: {} as Answers,
  state: "confirmed" as "confirmed" | "waitlisted",
  overCapacity: false,
  notify: true,
};

/** Adds a registration on behalf of a guest, for example by phone. Exceeds the capacity only if ticked. */
export function AddPersonDialog({
  event,
  opened,
  onClose,
}: {
  event: AdminEvent;
  opened: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const [form, setForm] = useState(emptyForm);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const add = useApiMutation(eventRegistrations.add, { quiet: true });
  const isEventFull = isCode(add.error, "events.noSeat");
  const set = (change: Partial<typeof emptyForm>) => setForm((before) => ({ ...before, ...change }));
  const close = () => {
    setForm(emptyForm);
    setErrors({});
    add.reset();
    onClose();
  };
  const submit = async () => {
    const missing = {
      ...(!form.name.trim() && { name: t("events.edit.enterName") }),
      ...(!form.email.trim() && { email: t("events.edit.enterEmail") }),
    };
    setErrors(missing);
    if (Object.keys(missing).length > 0) return;
    const { answers, attendance, ...rest } = form;
    try {
      const row = await add.mutateAsync({
        params: { id: event.id },
        body: {
          ...rest,
          answers: checkAnswers(event.questions, answers).answers,
          ...(event.attendanceMode === "hybrid" && { attendance }),
        },
      });
      toast.done(t("events.registrations.added", { name: row.name }));
      close();
    } catch (error) {
      setErrors(issuesOf(error));
    }
  };
  const field = (name: "name" | "email" | "company") => ({
    value: form[name],
    error: errors[name],
    autoComplete: "off",
    onChange: (change: { currentTarget: HTMLInputElement }) => set({ [name]: change.currentTarget.value }),
  });
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={t("events.registrations.add")}
      submitLabel={t("events.registrations.add")}
      busy={add.isPending}
      failure={Object.keys(errors).length > 0 ? undefined : add.error}
      onSubmit={submit}
    >
      <TextInput label={t("events.form.name")} data-autofocus maxLength={120} {...field("name")} />
      <TextInput label={t("events.form.email")} type="email" {...field("email")} />
      <TextInput
        label={<OptionalLabel>{t("events.form.company")}</OptionalLabel>}
        maxLength={120}
        {...field("company")}
      />
      {event.attendanceMode === "hybrid" && (
        <Radio.Group
          label={t("events.registrations.attendance")}
          value={form.attendance}
          onChange={(value) => set({ attendance: value as "in_person" | "online" })}
        >
          <Stack gap={8} mt={6}>
            <Radio value="in_person" label={t("events.registrations.in_person")} />
            <Radio value="online" label={t("events.registrations.online")} />
          </Stack>
        </Radio.Group>
      )}
      {shownQuestions(event.questions, form.answers).map((question) => (
        <QuestionField
          key={question.id}
          question={{ ...question, required: false }}
          value={form.answers[question.id]}
          error={errors[`answers.${question.id}`]}
          onChange={(value) => set({ answers: { ...form.answers, [question.id]: value } })}
        />
      ))}
      <Radio.Group
        label={t("events.registrations.addAs")}
        value={form.state}
        onChange={(value) => set({ state: value as "confirmed" | "waitlisted" })}
      >
        <Stack gap={8} mt={6}>
          <Radio value="confirmed" label={t("events.registrations.addConfirmed")} />
          <Radio value="waitlisted" label={t("events.registrations.addWaitlisted")} />
        </Stack>
      </Radio.Group>
      {form.state === "confirmed" && (isEventFull || form.overCapacity) && (
        <Checkbox
          size="sm"
          label={t("events.registrations.overCapacity")}
          checked={form.overCapacity}
          onChange={(change) => set({ overCapacity: change.currentTarget.checked })}
        />
      )}
      <Checkbox
        size="sm"
        label={t("events.registrations.notify")}
        checked={form.notify}
        onChange={(change) => set({ notify: change.currentTarget.checked })}
      />
    </FormDialog>
  );
}
