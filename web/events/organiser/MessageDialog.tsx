import { Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { toast } from "#web/core/toast/toast.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";
import type { AdminEvent } from "#shared/events/eventViews.ts";

type Props = { event: AdminEvent; filter: Record<string, string>; count: number; opened: boolean; onClose: () => void };

/** Emails all guests in the current list. */
export function MessageDialog({ event, filter, count, opened, onClose }: Props) {
  const { t } = useTranslation();
  const [form, setForm] = useState({ subject: "", text: "" });
  const [isSubmitted, setSubmitted] = useState(false);
  const send = useApiMutation(eventRegistrations.sendMessage, { quiet: true });
  const isComplete = form.subject.trim() && form.text.trim();
  const submit = async () => {
    setSubmitted(true);
    const reply =
      isComplete &&
      (await send
        .mutateAsync({
          params: { id: event.id },
          body: { filter, subject: form.subject.trim(), text: form.text.trim() },
        })
        .catch(() => null));
    if (!reply) return;
    toast.done(t("events.registrations.sent", { count: reply.sent }));
    setForm({ subject: "", text: "" });
    setSubmitted(false);
    onClose();
  };
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t("events.registrations.sendEmail")}
      submitLabel={t("events.registrations.send", { count })}
      disabled={count === 0}
      busy={send.isPending}
      failure={send.error}
      onSubmit={submit}
    >
      <Text>{t(isFiltered ? "events.registrations.toFiltered" : "events.registrations.toAll", { count })}</Text>
      <TextInput
        label={t("events.registrations.subject")}
        data-autofocus
        maxLength={150}
        value={form.subject}
        error={isSubmitted && !form.subject.trim() && t("events.registrations.enterSubject")}
        onChange={(change) => setForm({ ...form, subject: change.currentTarget.value })}
      />
      <Textarea
        label={t("events.registrations.text")}
        autosize
        minRows={6}
        maxLength={5000}
        value={form.text}
        error={isSubmitted && !form.text.trim() && t("events.registrations.enterText")}
        onChange={(change) => setForm({ ...form, text: change.currentTarget.value })}
      />
    </FormDialog>
  );
}
