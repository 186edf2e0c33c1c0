import { Checkbox, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { toast } from "#web/core/toast/toast.ts";
import { namesOf, type PeopleDialog } from "#web/events/organiser/peopleDialog.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { events } from "#shared/events.ts";

/** Cancels for people, with or without a mail to them. */
export function CancelPeopleDialog({ eventId, people, opened, onClose, onDone }: PeopleDialog) {
  const { t } = useTranslation();
  const [notify, setNotify] = useState(true);
  const cancel = useApiMutation(events.cancelFor, { alsoInvalidate: ["events"], quiet: true });
  const submit = async () => {
    const reply = await cancel
      .mutateAsync({ params: { id: eventId }, body: { ids: people.map(({ id }) => id), notify } })
      .catch(() => null);
    if (!reply) return;
    toast.done(t("events.people.cancelled", { count: reply.changed }));
    onClose();
    onDone();
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t("events.people.cancelTitle", { count: people.length })}
      submitLabel={people.length > 1 ? t("events.people.cancelMany", { count: people.length }) : t("events.people.cancel")}
      cancelLabel={t("events.people.keep")}
      danger
      busy={cancel.isPending}
      failure={cancel.error}
      onSubmit={submit}
    >
      <Text>
        {namesOf(people)}. {t("events.people.cancelText")}
      </Text>
      <Checkbox
        size="sm"
        label={t("events.people.notify")}
        checked={notify}
        onChange={(event) => setNotify(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}
