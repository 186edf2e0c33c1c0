import { Dialog } from "#web/core/dialog/Dialog.tsx";
import { useIsPhone } from "#web/core/display/useIsPhone.ts";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { IssuePinDialog } from "#web/auth/pins/IssuePinDialog.tsx";
import { call } from "#web/core/api/api.ts";
import { toast } from "#web/core/toast/toast.ts";
import { NumberedForm } from "#web/learners/NumberedForm.tsx";
import { InviteForm } from "#web/learners/InviteForm.tsx";
import { InviteOutcomes } from "#web/learners/InviteOutcomes.tsx";
import { type Outcome, useInvite } from "#web/learners/useInvite.ts";
import type { CompanyRow } from "#shared/companies/companies.ts";
import { type Learner, learners } from "#shared/learners/learners.ts";

type Props = { opened: boolean; onClose: () => void; company?: CompanyRow };

/** Invites one or many people. The input is kept if the dialog is closed without sending. */
export function InviteDialog({ opened, onClose, company }: Props) {
  const { t } = useTranslation();
  const phone = useIsPhone();
  const invite = useInvite();
  const [selectedCompany, setSelectedCompany] = useState<CompanyRow | null>(null);
  const [courseIds, setCourseIds] = useState<string[]>([]);

  const [isNumbered, setNumbered] = useState(false);
  const [created, setCreated] = useState<Learner | null>(null);

  const close = () => {
    setNumbered(false);
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
  const inviteTitle = isNumbered ? t("learners.numbered.title") : formTitle;
  const title = invite.outcomes ? t(`learners.invite.${titleOf(invite.outcomes)}`) : inviteTitle;
  const content = () => {
    if (invite.outcomes) return <InviteOutcomes invite={invite} outcomes={invite.outcomes} onClose={close} />;
    const shared = {
      company: company ?? selectedCompany,
      onCompany: setSelectedCompany,
      isCompanyFixed: company !== undefined,
      courseIds,
    };
    const onCreated = (learner: Learner) => {
      toast.done(t("learners.numbered.done", { name: learner.name }));
      setCreated(learner);
      close();
    };
    if (isNumbered) return <NumberedForm {...shared} onBack={() => setNumbered(false)} onCreated={onCreated} />;
    return (
      <InviteForm
        {...shared}
        invite={invite}
        onCourses={setCourseIds}
        onCancel={close}
        onNumbered={() => setNumbered(true)}
      />
    );
  };
  return (
    <>
      <Dialog
        opened={opened}
        onClose={close}
        title={title}
        size={720}
        fullScreen={phone}
        radius={phone ? 0 : "lg"}
        closeOnClickOutside={false}
      >
        {content()}
      </Dialog>
      {created && (
        <IssuePinDialog
          opened
          name={created.name}
          onClose={() => setCreated(null)}
          issue={(body) => call(learners.issuePin, { params: { id: created.id }, body })}
        />
      )}
    </>
  );
}
