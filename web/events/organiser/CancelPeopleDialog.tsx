import { Checkbox, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { toast } from "#web/core/toast/toast.ts";
import { namesOf, type PeopleDialog } from "#web/events/organiser/peopleDialog.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";

/** Cancels registrations, with or without an email to the guests. */
export function CancelPeopleDialog({ eventId, people, opened, onClose, onDone }: PeopleDialog) {
  const { t } = useTranslation();
  const [notify, setNotify] = useState(true);
  const cancel = useApiMutation(eventRegistrations.cancel, { quiet: true });
  const submit = async () => {
    const reply = await cancel
      .mutateAsync({ params: { id: eventId }, body: { ids: people.map(({ id }) => id), notify } })
      .catch(() => null);
    if (!reply) return;
    toast.done(t("events.registrations.cancelled", { count: reply.changed }));
    onClose();
    onDone();
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t("events.registrations.cancelTitle", { count: people.length })}
      submitLabel={
        people.length > 1
          ? t("events.registrations.cancelMany", { count: people.length })
          : t("events.registrations.cancel")
      }
      cancelLabel={t("events.registrations.keep")}
      danger
      busy={cancel.isPending}
      failure={cancel.error}
      onSubmit={submit}
    >
      <Text>
        {namesOf(people)}. {t("events.registrations.cancelText")}
      </Text>
      <Checkbox
        size="sm"
        label={t("events.registrations.notify")}
        checked={notify}
        onChange={(event) => setNotify(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}
