import { Menu, Text } from "@mantine/core";
import {
  IconArrowRight,
  IconBan,
  IconBell,
  IconBook,
  IconBuilding,
  IconCalendarTime,
  IconCertificate,
  IconChartBar,
  IconDownload,
  IconHistory,
  IconId,
  IconTrash,
  IconMailForward,
  IconPencil,
  IconShieldOff,
  IconSitemap,
  IconUserCheck,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useResetFactors } from "#web/auth/account/useResetFactors.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { formatAgoInText } from "#web/core/format/format.ts";
import { toast } from "#web/core/toast/toast.ts";
import { downloadExport } from "#web/privacy/downloadExport.ts";
import type { LearnerActions } from "#web/learners/useLearnerActions.tsx";
import type { Learner } from "#shared/learners/learners.ts";

const icon = { size: 18, stroke: 1.7 };

/** Menu items of a learner. */
export function LearnerMenu({
  learner,
  actions,
  companyPage,
}: {
  learner: Learner;
  actions: LearnerActions;
  companyPage?: string | undefined;
}) {
  const { t } = useTranslation();
  const resetOf = useResetFactors();
  const { status, id, companyId, company, overdue, remindedAt } = learner;
  return (
    <>
      <Menu.Item component={Link} to={`/learners/report/${id}`} leftSection={<IconChartBar {...icon} />}>
        {t("learners.openReport")}
      </Menu.Item>
      {companyId && (
        <Menu.Item component={Link} to={`/learners/outlook/${id}`} leftSection={<IconCalendarTime {...icon} />}>
          {t("outlook.action")}
        </Menu.Item>
      )}
      {!companyPage && companyId && (
        <Menu.Item component={Link} to={`/companies/${companyId}`} leftSection={<IconBuilding {...icon} />}>
          {t("learners.openCompany", { company })}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => actions.open("edit", [learner])}>
        {t("learners.editRow")}
      </Menu.Item>
      <Menu.Item leftSection={<IconBook {...icon} />} onClick={() => actions.open("assign", [learner])}>
        {t("learners.assignCourse")}
      </Menu.Item>
      {companyId && (
        <Menu.Item leftSection={<IconCertificate {...icon} />} onClick={() => actions.open("past", [learner])}>
          {t("pastCompletions.action")}
        </Menu.Item>
      )}
      {overdue > 0 && (
        <Menu.Item leftSection={<IconBell {...icon} />} onClick={() => actions.open("remind", [learner])}>
          {t("courses.remind.action")}
          {remindedAt && (
            <Text span display="block" size="xs" c="dimmed">
              {t("courses.remind.lastReminder", { when: formatAgoInText(remindedAt) })}
            </Text>
          )}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconSitemap {...icon} />} onClick={() => actions.open("manager", [learner])}>
        {t("managers.set.row")}
      </Menu.Item>
      <Menu.Item leftSection={<IconArrowRight {...icon} />} onClick={() => actions.open("move", [learner])}>
        {t("learners.moveRow")}
      </Menu.Item>
      {learner.email === null && status !== "suspended" && (
        <Menu.Item leftSection={<IconId {...icon} />} onClick={() => actions.open("pin", [learner])}>
          {t("auth.card.action")}
        </Menu.Item>
      )}
      {status === "invited" && learner.email !== null && (
        <Menu.Item leftSection={<IconMailForward {...icon} />} onClick={() => void actions.resend([learner])}>
          {t("learners.resend.verb")}
        </Menu.Item>
      )}
      {status === "active" && learner.email !== null && (
        <Menu.Item leftSection={<IconShieldOff {...icon} />} onClick={() => confirm(resetOf(learner))}>
          {t("learners.resetFactors")}
        </Menu.Item>
      )}
      <Menu.Item component={Link} to={`/admin/audit?person=${id}`} leftSection={<IconHistory {...icon} />}>
        {t("privacy.erase.auditItem")}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconDownload {...icon} />}
        onClick={() => void downloadExport(id).catch((error: unknown) => toast.failed(error))}
      >
        {t("privacy.erase.exportItem")}
      </Menu.Item>
      <Menu.Divider />
      {status === "suspended" ? (
        <Menu.Item leftSection={<IconUserCheck {...icon} />} onClick={() => void actions.reactivate([learner])}>
          {t("learners.reactivate.verb")}
        </Menu.Item>
      ) : (
        <Menu.Item color="red" leftSection={<IconBan {...icon} />} onClick={() => actions.open("suspend", [learner])}>
          {t("learners.suspendRow")}
        </Menu.Item>
      )}
      <Menu.Item color="red" leftSection={<IconTrash {...icon} />} onClick={() => actions.open("erase", [learner])}>
        {t("privacy.erase.otherItem")}
      </Menu.Item>
    </>
  );
}
