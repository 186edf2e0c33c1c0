import { Button } from "@mantine/core";
import { IconFileText } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { useParams } from "react-router";
import { ActiveDays } from "#web/reports/ActiveDays.tsx";
import { ChartPlaceholder } from "#web/reports/ChartPlaceholder.tsx";
import classes from "#web/reports/LearnerReport.module.css";
import { LearnerExport } from "#web/reports/LearnerExport.tsx";
import { ReportCourses } from "#web/reports/ReportCourses.tsx";
import { LearnerStats } from "#web/reports/LearnerStats.tsx";
import { SessionDrawer } from "#web/reports/SessionDrawer.tsx";
import { SessionTable } from "#web/reports/SessionTable.tsx";
import { queryFor } from "#web/core/api/api.ts";
import { isStatus } from "#web/core/api/http.ts";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { formatAgo, formatDate } from "#web/core/format/format.ts";
import { NotFoundPage } from "#web/core/layout/NotFoundPage.tsx";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";
import { Unauthorized } from "#web/core/layout/Unauthorized.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { learnerFacts } from "#web/learners/learnerFields.tsx";
import { useUser } from "#web/core/session/session.tsx";
import { reports } from "#shared/reports.ts";
import { isAdmin, isLearner } from "#shared/users.ts";

const ActiveTime = lazy(() =>
  import("#web/reports/ActiveTime.tsx").then(({ ActiveTime }) => ({ default: ActiveTime })),
);

/** `/learners/report/:id`: any learner for admins, only their own report for learners. */
export function LearnerReportPage() {
  const { id = "" } = useParams();
  const user = useUser();
  if (isLearner(user) && user.id !== id) return <Unauthorized reason="report" />;
  return <Report key={id} id={id} admin={isAdmin(user)} />;
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

function Report({ id, admin }: { id: string; admin: boolean }) {
  const { t } = useTranslation();
  const [now] = useState(() => new Date());
  const { data, error } = useQuery({
    ...queryFor(reports.learner, { params: { id } }),
    throwOnError: (failure) => !isStatus(failure, 404),
  });
  if (isStatus(error, 404))
    return <NotFoundPage title={t("reports.learner.notFound")} text={t("reports.learner.notFoundText")} />;
  if (!data) return <PageSkeleton />;
  const { learner, days, enrolments, attempts, sessions, summary } = data;
  const name = learner.name || learner.email;
  const lastActive = learner.lastActive
    ? t("reports.learner.lastActive", { when: lowerFirst(formatAgo(learner.lastActive)) })
    : t("reports.learner.never");

  return (
    <div className={classes.report}>
      <PageHead
        title={name}
        mark={<PersonMark name={name} size={52} />}
        line={[...learnerFacts(learner), lastActive].join(", ")}
        parent={
          admin
            ? { to: "/learners", label: t("reports.learner.learners") }
            : { to: "/my-courses", label: t("reports.learner.myCourses") }
        }
        actions={
          <>
            {enrolments.length > 0 && <LearnerExport id={id} className={classes.screen} />}
            <Button
              className={classes.screen}
              leftSection={<IconFileText size={18} stroke={1.7} />}
              onClick={() => print()}
            >
              {t("reports.learner.print")}
            </Button>
          </>
        }
      />
      <p className={classes.printed}>{t("reports.learner.printed", { day: formatDate(now) })}</p>
      <LearnerStats summary={summary} enrolments={enrolments} />
      {enrolments.length === 0 && sessions.length === 0 ? (
        <EmptyState
          title={t("reports.learner.none")}
          text={admin ? t("reports.learner.noneText") : t("reports.learner.noneSelf")}
        />
      ) : (
        <>
          <div className={classes.charts}>
            <Section title={t("reports.learner.perWeek")}>
              <Suspense fallback={<ChartPlaceholder height={190} />}>
                <ActiveTime days={days} />
              </Suspense>
            </Section>
            <ActiveDays days={days} />
          </div>
          <Section title={t("reports.learner.courses")}>
            <ReportCourses enrolments={enrolments} attempts={attempts} sessions={sessions} />
          </Section>
          <div className={classes.screen}>
            <Section
              title={t("reports.learner.sessions")}
              side={t("reports.learner.sessionCount", { count: summary.sessions })}
            >
              <SessionTable sessions={sessions} total={summary.sessions} withCourse />
            </Section>
          </div>
        </>
      )}
      <SessionDrawer />
    </div>
  );
}
