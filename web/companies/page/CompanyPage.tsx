import { Button, Tabs } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconBell, IconCompass, IconReportAnalytics, IconShieldCheck, IconUserPlus } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams, useSearchParams } from "react-router";
import { BrandingTab } from "#web/companies/page/BrandingTab.tsx";
import { CompanyFacts } from "#web/companies/page/CompanyFacts.tsx";
import classes from "#web/companies/page/CompanyPage.module.css";
import { CoursesTab } from "#web/companies/page/CoursesTab.tsx";
import { OverviewTab } from "#web/companies/page/OverviewTab.tsx";
import { SignInTab } from "#web/companies/page/SignInTab.tsx";
import { SettingsTab } from "#web/companies/page/SettingsTab.tsx";
import { queryFor } from "#web/core/api/api.ts";
import { CompanyMark } from "#web/core/brand/CompanyMark.tsx";
import { formatNumber } from "#web/core/format/format.ts";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { useTabInView } from "#web/core/layout/useTabInView.ts";
import { SkeletonRows } from "#web/core/layout/PageSkeleton.tsx";
import { FieldsTab } from "#web/fields/FieldsTab.tsx";
import { GroupsTab } from "#web/groups/GroupsTab.tsx";
import { AssignDialog } from "#web/learners/AssignDialog.tsx";
import { InviteDialog } from "#web/learners/InviteDialog.tsx";
import { LearnerTable } from "#web/learners/LearnerTable.tsx";
import { ManagersTab } from "#web/managers/ManagersTab.tsx";
import { MeasuredTab } from "#web/measures/MeasuredTab.tsx";
import { ProvisioningTab } from "#web/provisioning/ProvisioningTab.tsx";
import { companies } from "#shared/companies/companies.ts";

const tabs = [
  "overview",
  "learners",
  "managers",
  "groups",
  "courses",
  "fields",
  "branding",
  "signIn",
  "provisioning",
  "measured",
  "settings",
] as const;

export function CompanyPage() {
  const { t } = useTranslation();
  const { id = "" } = useParams();
  const { data: company } = useSuspenseQuery(queryFor(companies.get, { params: { id } }));
  const [params, setParams] = useSearchParams();
  const [inviting, invite] = useDisclosure();
  const [assigning, assign] = useDisclosure();
  const tab = tabs.find((name) => name === params.get("tab")) ?? "overview";
  const tabList = useTabInView(tab);
  const active = company.status === "active";
  const counts: Partial<Record<(typeof tabs)[number], number>> = {
    learners: company.learners,
    courses: company.courses,
  };
  const addLearners = (
    <Button leftSection={<IconUserPlus size={18} stroke={1.7} />} disabled={!active} onClick={invite.open}>
      {t("companies.addLearners")}
    </Button>
  );

  return (
    <>
      <PageHead
        title={company.name}
        line={<CompanyFacts company={company} />}
        parent={{ to: "/companies", label: t("companies.title") }}
        mark={<CompanyMark name={company.name} color={company.color} logo={company.logo} size={52} />}
        actions={
          <>
            <Button
              variant="default"
              component={Link}
              to={`/companies/${id}/compliance`}
              leftSection={<IconShieldCheck size={18} stroke={1.7} />}
            >
              {t("requirements.title")}
            </Button>
            <Button
              variant="default"
              component={Link}
              to={`/companies/${id}/catalogue`}
              leftSection={<IconCompass size={18} stroke={1.7} />}
            >
              {t("catalogue.title")}
            </Button>
            <Button
              variant="default"
              component={Link}
              to={`/companies/${id}/reminders`}
              leftSection={<IconBell size={18} stroke={1.7} />}
            >
              {t("reminders.title")}
            </Button>
            <Button
              variant="default"
              component={Link}
              to={`/reports/company/${id}`}
              leftSection={<IconReportAnalytics size={18} stroke={1.7} />}
            >
              {t("companies.report")}
            </Button>
            {addLearners}
          </>
        }
      />
      <Tabs
        value={tab}
        onChange={(next) => setParams(next && next !== "overview" ? { tab: next } : {}, { preventScrollReset: true })}
        keepMounted={false}
      >
        <Tabs.List ref={tabList} className={classes.tabs}>
          {tabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`companies.tabs.${name}`)}
              {counts[name] !== undefined && <span className={classes.count}> {formatNumber(counts[name])}</span>}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Suspense fallback={<SkeletonRows rows={6} />}>
          <Tabs.Panel value="overview">
            <OverviewTab company={company} onAssign={assign.open} onInvite={invite.open} />
          </Tabs.Panel>
          <Tabs.Panel value="learners">
            <LearnerTable
              companyId={id}
              hidden={company.hidden}
              prefix="l."
              empty={{ title: t("learners.noneInCompany"), text: t("learners.noneInCompanyText"), action: addLearners }}
            />
          </Tabs.Panel>
          <Tabs.Panel value="managers">
            <ManagersTab companyId={id} />
          </Tabs.Panel>
          <Tabs.Panel value="courses">
            <CoursesTab company={company} onAssign={assign.open} />
          </Tabs.Panel>
          <Tabs.Panel value="groups">
            <GroupsTab companyId={id} />
          </Tabs.Panel>
          <Tabs.Panel value="fields">
            <FieldsTab companyId={id} />
          </Tabs.Panel>
          <Tabs.Panel value="branding">
            <BrandingTab company={company} />
          </Tabs.Panel>
          <Tabs.Panel value="signIn">
            <SignInTab company={company} />
          </Tabs.Panel>
          <Tabs.Panel value="provisioning">
            <ProvisioningTab companyId={id} />
          </Tabs.Panel>
          <Tabs.Panel value="measured">
            <MeasuredTab companyId={id} />
          </Tabs.Panel>
          <Tabs.Panel value="settings">
            <SettingsTab company={company} />
          </Tabs.Panel>
        </Suspense>
      </Tabs>
      <InviteDialog opened={inviting} onClose={invite.close} company={company} />
      <AssignDialog
        opened={assigning}
        onClose={assign.close}
        companies={[company]}
        title={t("companies.assignToOne", { name: company.name })}
        text={t("companies.assignText", { count: company.learners })}
      />
    </>
  );
}
