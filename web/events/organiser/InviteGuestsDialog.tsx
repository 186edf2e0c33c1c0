import { Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { toast } from "#web/core/toast/toast.ts";
import { namesOf, type PeopleDialog } from "#web/events/organiser/peopleDialog.ts";
import { CompanySelect } from "#web/learners/CompanySelect.tsx";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import type { CompanyRow } from "#shared/companies/companies.ts";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";

/** Invites guests to join a company as learners. */
export function InviteGuestsDialog({ eventId, people, opened, onClose, onDone }: PeopleDialog) {
  const { t } = useTranslation();
  const [company, setCompany] = useState<CompanyRow | null>(null);
  const [missing, setMissing] = useState(false);
  const invite = useApiMutation(eventRegistrations.invite, {
    quiet: true,
  });
  const submit = async () => {
    setMissing(company === null);
    const reply =
      company &&
      (await invite
        .mutateAsync({ params: { id: eventId }, body: { ids: people.map(({ id }) => id), companyId: company.id } })
        .catch(() => null));
    if (!reply) return;
    toast.done(
      t("events.registrations.invited", { count: reply.invited }),
      reply.already > 0 ? { text: t("events.registrations.alreadyLearners", { count: reply.already }) } : {},
    );
    onClose();
    onDone();
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t("events.registrations.inviteTitle", { count: people.length })}
      submitLabel={t("events.registrations.inviteVerb")}
      busy={invite.isPending}
      failure={invite.error}
      onSubmit={submit}
    >
      <Text>
        {namesOf(people)}. {t("events.registrations.inviteText")}
      </Text>
      <CompanySelect
        label={t("events.form.company")}
        value={company}
        onChange={setCompany}
        error={missing && t("events.edit.chooseCompany")}
      />
    </FormDialog>
  );
}
