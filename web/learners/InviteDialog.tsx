import { Dialog } from "#web/core/dialog/Dialog.tsx";
import { useIsPhone } from "#web/core/display/useIsPhone.ts";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { InviteForm } from "#web/learners/InviteForm.tsx";
import { InviteOutcomes } from "#web/learners/InviteOutcomes.tsx";
import { type Outcome, useInvite } from "#web/learners/useInvite.ts";
import type { CompanyRow } from "#shared/companies/companies.ts";

type Props = { opened: boolean; onClose: () => void; company?: CompanyRow };

/** Invites one or many people. The input is kept if the dialog is closed without sending. */
export function InviteDialog({ opened, onClose, company }: Props) {
  const { t } = useTranslation();
  const phone = useIsPhone();
  const invite = useInvite();
  const [selectedCompany, setSelectedCompany] = useState<CompanyRow | null>(null);
  const [courseIds, setCourseIds] = useState<string[]>([]);

  const close = () => {
    onClose();
    if (!invite.outcomes) return;
    invite.again();
    setCourseIds([]);
    if (invite.rows.length === 0) setSelectedCompany(null);
  };
  const titleOf = (outcomes: Outcome[]) => {
    if (outcomes.every(({ outcome }) => outcome === "skipped")) return "nobodyTitle";
    return invite.isDeliveryDisabled ? "outboxTitle" : "sentTitle";
  };
  const formTitle = company ? t("learners.invite.titleFor", { company: company.name }) : t("learners.invite.title");
  const title = invite.outcomes ? t(`learners.invite.${titleOf(invite.outcomes)}`) : formTitle;
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={title}
      size={720}
      fullScreen={phone}
      radius={phone ? 0 : "lg"}
      closeOnClickOutside={false}
    >
      {invite.outcomes ? (
        <InviteOutcomes invite={invite} outcomes={invite.outcomes} onClose={close} />
      ) : (
        <InviteForm
          invite={invite}
          company={company ?? selectedCompany}
          onCompany={setSelectedCompany}
          isCompanyFixed={company !== undefined}
          courseIds={courseIds}
          onCourses={setCourseIds}
          onCancel={close}
        />
      )}
    </Dialog>
  );
}
