import { Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { toast } from "#web/core/toast/toast.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { type AdminEvent, events } from "#shared/events.ts";

type Props = { event: AdminEvent; filter: Record<string, string>; count: number; opened: boolean; onClose: () => void };

/** A mail to everybody whom the list shows at the moment. */
export function MessageDialog({ event, filter, count, opened, onClose }: Props) {
  const { t } = useTranslation();
  const [form, setForm] = useState({ subject: "", text: "" });
  const [tried, setTried] = useState(false);
  const send = useApiMutation(events.message, { alsoInvalidate: ["mails"], quiet: true });
  const ready = form.subject.trim() && form.text.trim();
  const submit = async () => {
    setTried(true);
    const reply =
      ready &&
      (await send
        .mutateAsync({
          params: { id: event.id },
          body: { filter, subject: form.subject.trim(), text: form.text.trim() },
        })
        .catch(() => null));
    if (!reply) return;
    toast.done(t("events.people.sent", { count: reply.sent }));
    setForm({ subject: "", text: "" });
    setTried(false);
    onClose();
  };
  const narrowed = Object.keys(filter).length > 0;
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t("events.people.write")}
      submitLabel={t("events.people.send", { count })}
      disabled={count === 0}
      busy={send.isPending}
      failure={send.error}
      onSubmit={submit}
    >
      <Text>{t(narrowed ? "events.people.toFiltered" : "events.people.toAll", { count })}</Text>
      <TextInput
        label={t("events.people.subject")}
        data-autofocus
        maxLength={150}
        value={form.subject}
        error={tried && !form.subject.trim() && t("events.people.enterSubject")}
        onChange={(change) => setForm({ ...form, subject: change.currentTarget.value })}
      />
      <Textarea
        label={t("events.people.text")}
        autosize
        minRows={6}
        maxLength={5000}
        value={form.text}
        error={tried && !form.text.trim() && t("events.people.enterText")}
        onChange={(change) => setForm({ ...form, text: change.currentTarget.value })}
      />
    </FormDialog>
  );
}
