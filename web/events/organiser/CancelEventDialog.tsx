import { Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { toast } from "#web/core/toast/toast.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import type { AdminEventRow } from "#shared/events/eventViews.ts";
import { events } from "#shared/events/events.ts";

/** Cancels an event. The required reason is sent to everyone registered and shown on the page. */
export function CancelEventDialog({
  event,
  opened,
  onClose,
}: {
  event: AdminEventRow;
  opened: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const [reason, setReason] = useState("");
  const [missing, setMissing] = useState(false);
  const cancel = useApiMutation(events.cancel, { quiet: true });
  const { confirmed, waitlisted, offered, pending } = event.counts;
  const submit = async () => {
    setMissing(!reason.trim());
    if (!reason.trim()) return;
    const done = await cancel
      .mutateAsync({ params: { id: event.id }, body: { version: event.version, reason: reason.trim() } })
      .catch(() => null);
    if (!done) return;
    toast.done(t("events.dialog.cancelDone", { title: event.title }));
    onClose();
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t("events.dialog.cancel", { title: event.title })}
      submitLabel={t("events.actions.cancel")}
      cancelLabel={t("events.dialog.cancelKeep")}
      danger
      busy={cancel.isPending}
      failure={cancel.error}
      onSubmit={submit}
    >
      <Text>{t("events.dialog.cancelText", { count: confirmed + waitlisted + offered + pending })}</Text>
      <Textarea
        label={t("events.dialog.reason")}
        data-autofocus
        autosize
        minRows={3}
        maxLength={1000}
        value={reason}
        error={missing && t("events.dialog.enterReason")}
        onChange={(change) => setReason(change.currentTarget.value)}
      />
    </FormDialog>
  );
}
