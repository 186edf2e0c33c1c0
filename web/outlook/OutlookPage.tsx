import { Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useParams, useSearchParams } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { isStatus } from "#web/core/http/http.ts";
import { NotFoundPage } from "#web/core/layout/NotFoundPage.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { Unauthorized } from "#web/core/layout/Unauthorized.tsx";
import { useUser } from "#web/core/session/session.tsx";
import { Ahead } from "#web/outlook/Ahead.tsx";
import { ExplainedCourses } from "#web/outlook/ExplainedCourses.tsx";
import { ExplainedRules } from "#web/outlook/ExplainedRules.tsx";
import { OUTLOOK_DAYS, type Outlook, outlooks } from "#shared/outlook/outlook.ts";
import { isAdmin, isLearner } from "#shared/core/users.ts";

const TABS = ["ahead", "courses", "rules"] as const;

/** `/learners/outlook/:id`: any learner for admins, only themselves for learners. */
export function OutlookPage() {
  const { t } = useTranslation();
  const { id = "" } = useParams();
  const user = useUser();
  const isForeign = isLearner(user) && user.id !== id;
  const [days, setDays] = useState(OUTLOOK_DAYS);
  const { data, error } = useQuery({
    ...queryFor(outlooks.get, { params: { id }, query: { days } }),
    throwOnError: (failure: Error) => !isStatus(failure, 404),
    placeholderData: (before) => before,
    enabled: !isForeign,
  });
  if (isForeign) return <Unauthorized reason="report" />;
  if (error) return <NotFoundPage title={t("reports.learner.notFound")} text={t("reports.learner.notFoundText")} />;
  if (!data) return <PageSkeleton />;
  const shown = { id, outlook: data, days, onDays: setDays };
  return isAdmin(user) ? <OfAdmin {...shown} /> : <OfLearner {...shown} />;
}

type Props = { id: string; outlook: Outlook; days: number; onDays: (days: number) => void };

function OfAdmin({ id, outlook, days, onDays }: Props) {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const { name, company } = outlook;
  const tab = TABS.find((one) => one === params.get("tab")) ?? "ahead";
  return (
    <>
      <PageHead
        title={t("outlook.title", { name })}
        mark={<PersonMark name={name} size={52} />}
        line={company}
        parent={{ to: `/learners/report/${id}`, label: t("outlook.report") }}
      />
      <Tabs
        value={tab}
        onChange={(next) => setParams(next && next !== "ahead" ? { tab: next } : {}, { replace: true })}
        keepMounted={false}
      >
        <Tabs.List>
          {TABS.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`outlook.tabs.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="ahead">
          <Ahead outlook={outlook} days={days} onDays={onDays} reader="admin" />
        </Tabs.Panel>
        <Tabs.Panel value="courses">
          <ExplainedCourses id={id} isForAdmin />
        </Tabs.Panel>
        <Tabs.Panel value="rules">
          <ExplainedRules id={id} name={name} company={company} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function OfLearner({ id, outlook, days, onDays }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <PageHead
        title={t("outlook.ownTitle")}
        line={outlook.company}
        parent={{ to: "/my-courses", label: t("reports.learner.myCourses") }}
      />
      <Ahead outlook={outlook} days={days} onDays={onDays} reader="self" />
      <Section title={t("outlook.courses.ownTitle")}>
        <ExplainedCourses id={id} isForAdmin={false} />
      </Section>
    </>
  );
}
