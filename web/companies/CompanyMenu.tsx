import { Menu } from "@mantine/core";
import {
  IconArchive,
  IconArrowRight,
  IconBan,
  IconLink,
  IconPlayerPlay,
  IconReportAnalytics,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { copyText } from "#web/core/display/copyText.ts";
import { registrationLink } from "#web/companies/registrationLink.ts";
import type { useCompanyActions } from "#web/companies/useCompanyActions.ts";
import type { CompanyRow } from "#shared/companies/companies.ts";

const icon = { size: 18, stroke: 1.7 };

/** Menu items of a company. */
export function CompanyMenu({
  company,
  actions,
}: {
  company: CompanyRow;
  actions: ReturnType<typeof useCompanyActions>;
}) {
  const { t } = useTranslation();
  const { id, status, accessCode } = company;
  return (
    <>
      <Menu.Item component={Link} to={`/companies/${id}`} leftSection={<IconArrowRight {...icon} />}>
        {t("companies.open")}
      </Menu.Item>
      <Menu.Item component={Link} to={`/reports/company/${id}`} leftSection={<IconReportAnalytics {...icon} />}>
        {t("companies.report")}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconLink {...icon} />}
        onClick={() => void copyText(registrationLink(accessCode), t("companies.linkCopied"))}
      >
        {t("companies.copyLink")}
      </Menu.Item>
      <Menu.Divider />
      {status !== "active" && (
        <Menu.Item leftSection={<IconPlayerPlay {...icon} />} onClick={() => actions.reactivate(company)}>
          {t("companies.statusChanges.active.verb")}
        </Menu.Item>
      )}
      {status === "active" && (
        <Menu.Item color="red" leftSection={<IconBan {...icon} />} onClick={() => actions.suspend(company)}>
          {t("companies.statusChanges.suspended.verb")}
        </Menu.Item>
      )}
      {status !== "archived" && (
        <Menu.Item color="red" leftSection={<IconArchive {...icon} />} onClick={() => actions.archive(company)}>
          {t("companies.statusChanges.archived.verb")}
        </Menu.Item>
      )}
    </>
  );
}
