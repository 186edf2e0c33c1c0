import { Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { useApiMutation } from "#web/core/api/api.ts";
import { toast } from "#web/core/toast/toast.ts";
import { namesOf, type PeopleDialog } from "#web/events/organiser/peopleDialog.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";

/** Rejects requests; the reason is included in the email. */
export function RejectDialog({ eventId, people, opened, onClose, onDone }: PeopleDialog) {
  const { t } = useTranslation();
  const [reason, setReason] = useState("");
  const reject = useApiMutation(eventRegistrations.approve, { quiet: true });
  const submit = async () => {
    const reply = await reject
      .mutateAsync({
        params: { id: eventId },
        body: { ids: people.map(({ id }) => id), reject: true, reason: reason.trim() },
      })
      .catch(() => null);
    if (!reply) return;
    toast.done(t("events.registrations.rejected", { count: reply.changed }));
    setReason("");
    onClose();
    onDone();
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t("events.registrations.rejectTitle", { count: people.length })}
      submitLabel={t("events.registrations.rejectVerb", { count: people.length })}
      cancelLabel={t("events.registrations.rejectKeep", { count: people.length })}
      danger
      busy={reject.isPending}
      failure={reject.error}
      onSubmit={submit}
    >
      <Text>{namesOf(people)}</Text>
      <Textarea
        label={<OptionalLabel>{t("events.registrations.reason")}</OptionalLabel>}
        description={t("events.registrations.reasonHint")}
        data-autofocus
        autosize
        minRows={3}
        maxLength={1000}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
