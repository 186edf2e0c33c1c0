import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useDeferredValue, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams, useSearchParams } from "react-router";
import { CompletionDrawer } from "#web/courses/completion/CompletionDrawer.tsx";
import { useCompletionDrawer } from "#web/courses/completion/useCompletionDrawer.ts";
import { TimeZone } from "#web/core/format/TimeZone.tsx";
import { ActiveDays } from "#web/reports/ActiveDays.tsx";
import { ChartPlaceholder } from "#web/reports/ChartPlaceholder.tsx";
import classes from "#web/reports/LearnerReport.module.css";
import { ReportCourses } from "#web/reports/ReportCourses.tsx";
import { ChangesSection } from "#web/reports/figures/ChangesSection.tsx";
import { Definitions } from "#web/reports/figures/Definitions.tsx";
import { PeriodTable } from "#web/reports/figures/PeriodTable.tsx";
import figureClasses from "#web/reports/figures/Report.module.css";
import { ReportActions } from "#web/reports/figures/ReportActions.tsx";
import { ReportFilters } from "#web/reports/figures/ReportFilters.tsx";
import { useCountedLine, useReportQuery } from "#web/reports/figures/useReportLink.ts";
import { WeekBars } from "#web/reports/figures/WeekBars.tsx";
import { LearnerCourses } from "#web/reports/learner/LearnerCourses.tsx";
import { OwnRecord } from "#web/reports/learner/OwnRecord.tsx";
import { LearnerLedger } from "#web/reports/learner/LearnerLedger.tsx";
import { SessionDrawer } from "#web/reports/SessionDrawer.tsx";
import { SessionTable } from "#web/reports/SessionTable.tsx";
import { queryFor } from "#web/core/api/api.ts";
import { isStatus } from "#web/core/http/http.ts";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { formatAgoInText, formatDate, formatDateIn } from "#web/core/format/format.ts";
import { NotFoundPage } from "#web/core/layout/NotFoundPage.tsx";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";
import { Unauthorized } from "#web/core/layout/Unauthorized.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { PersonFields } from "#web/fields/PersonFields.tsx";
import { PersonGroups } from "#web/groups/PersonGroups.tsx";
import { learnerFacts } from "#web/learners/learnerFields.tsx";
import { NotShown } from "#web/measures/NotShown.tsx";
import { LearnerManager } from "#web/learners/manager/LearnerManager.tsx";
import { RemindLearner } from "#web/learners/RemindLearner.tsx";
import { useUser } from "#web/core/session/session.tsx";
import { dayIn } from "#web/core/format/zone.ts";
import { type LearnerReport, type Report as Figures, reports } from "#shared/reports/reports.ts";
import { isAdmin, isLearner } from "#shared/core/users.ts";
import { nameOf } from "#web/core/display/person.ts";

const ActiveTime = lazy(() =>
  import("#web/reports/ActiveTime.tsx").then(({ ActiveTime }) => ({ default: ActiveTime })),
);

/** `/learners/report/:id`: any learner for admins, only their own report for learners. */
export function LearnerReportPage() {
  const { id = "" } = useParams();
  const user = useUser();
  const [params] = useSearchParams();
  if (isLearner(user) && user.id !== id) return <Unauthorized reason="report" />;
  // Links into the details, such as to the sessions of a course, have parameters.
  if (isLearner(user) && params.size === 0) return <OwnRecord id={id} />;
  return <Report key={id} id={id} admin={isAdmin(user)} />;
}

/** Reads figures and details together, as of the same day. */
function Report({ id, admin }: { id: string; admin: boolean }) {
  const { t } = useTranslation();
  const query = useReportQuery("learner");
  const shownQuery = useDeferredValue(query);
  const { asOf, zone } = shownQuery;
  const throwOnError = (failure: Error) => !isStatus(failure, 404);
  const figures = useQuery({
    ...queryFor(reports.figures, { params: { id }, query: shownQuery }),
    throwOnError,
    placeholderData: (before) => before,
  });
  const details = useQuery({
    ...queryFor(reports.learner, { params: { id }, query: { ...(asOf && { asOf }), ...(zone && { zone }) } }),
    throwOnError,
    placeholderData: (before) => before,
  });
  if ([figures, details].some(({ error }) => isStatus(error, 404)))
    return <NotFoundPage title={t("reports.learner.notFound")} text={t("reports.learner.notFoundText")} />;
  if (!figures.data || !details.data) return <PageSkeleton />;
  const isLoading = shownQuery !== query || figures.isPlaceholderData || details.isPlaceholderData;
  return (
    <Loaded id={id} admin={admin} report={figures.data} details={details.data} query={query} isLoading={isLoading} />
  );
}

type Props = {
  id: string;
  admin: boolean;
  report: Figures;
  details: LearnerReport;
  query: ReturnType<typeof useReportQuery>;
  isLoading: boolean;
};

function Loaded({ id, admin, report, details, query, isLoading }: Props) {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const completion = useCompletionDrawer();
  const [now] = useState(() => new Date());
  const { learner, days, enrolments, sessions, summary } = details;
  const { figures, filters, asOf, isLive, names, recordedSince } = report;
  const name = nameOf(learner);
  const never = learner.hidden.includes("lastActivity") ? [] : [t("reports.learner.never")];
  const lastActive = learner.lastActive
    ? [t("reports.learner.lastActive", { when: formatAgoInText(learner.lastActive) })]
    : never;
  const reminder =
    admin && learner.remindedAt
      ? [t("reports.learner.lastReminded", { when: formatAgoInText(learner.remindedAt) })]
      : [];
  const isEmpty = figures.totals.assigned === 0;
  const hasNothing = isEmpty && sessions.length === 0 && isLive && !filters.courseId;
  const withdrawn = isLive && !filters.courseId ? enrolments.filter(({ status }) => status === "withdrawn") : [];
  const courses = new Map(enrolments.map(({ courseId, course }) => [courseId, course]));
  for (const [courseId, course] of Object.entries(names)) courses.set(courseId, course);
  const until = dayIn(new Date(Date.parse(asOf) - 1).toISOString(), filters.zone);

  return (
    <TimeZone value={filters.zone}>
      <div className={classes.report}>
        <PageHead
          title={name}
          mark={<PersonMark name={name} size={52} />}
          line={[...learnerFacts(learner), ...lastActive, ...reminder].join(", ")}
          parent={
            admin
              ? { to: "/learners", label: t("reports.learner.learners") }
              : { to: `/learners/report/${id}`, label: t("reports.own.title") }
          }
          actions={
            <>
              {admin && learner.companyId && (
                <Button component={Link} to={`/learners/outlook/${id}`} variant="default">
                  {t("outlook.action")}
                </Button>
              )}
              {admin && learner.overdue > 0 && <RemindLearner learner={learner} />}
              {admin && <LearnerManager learner={learner} />}
              <ReportActions id={id} kind="learner" query={query} total={figures.totals.assigned} />
            </>
          }
        />
        <PersonFields id={id} />
        {admin && <PersonGroups id={id} />}
        <p className={classes.printed}>{t("reports.learner.printed", { day: formatDate(now) })}</p>
        <div className={classes.screen}>
          <ReportFilters
            report={report}
            kind="learner"
            options={[...courses].map(([value, label]) => ({ value, label }))}
            note={useCountedLine(report)}
          />
        </div>
        <div className={figureClasses.body} data-loading={isLoading || undefined}>
          {recordedSince && Date.parse(recordedSince) > Date.parse(asOf) ? (
            <EmptyState
              title={t("reports.report.tooEarly")}
              text={t("reports.report.tooEarlyText", { day: formatDateIn(recordedSince, filters.zone) })}
            />
          ) : (
            <>
              {admin && <NotShown hidden={learner.hidden} companyId={learner.companyId} />}
              <LearnerLedger report={report} summary={summary} />
              {params.get("since") && (
                <div className={`${classes.changes} ${classes.screen}`}>
                  <ChangesSection
                    id={id}
                    kind="learner"
                    report={report}
                    query={query}
                    since={params.get("since") ?? ""}
                  />
                </div>
              )}
              {hasNothing && (
                <EmptyState
                  title={t("reports.learner.none")}
                  text={admin ? t("reports.learner.noneText") : t("reports.learner.noneSelf")}
                />
              )}
              {isEmpty && !hasNothing && (
                <EmptyState title={t("reports.report.empty")} text={t("reports.report.emptyText")} />
              )}
              {!isEmpty && (
                <>
                  {sessions.length > 0 && summary.activeDays !== null && (
                    <div className={classes.charts}>
                      <Section title={t("reports.learner.perWeek")} side={t("reports.learner.last26Weeks")}>
                        <Suspense fallback={<ChartPlaceholder height={190} />}>
                          <ActiveTime days={days} until={until} isLive={isLive} />
                        </Suspense>
                      </Section>
                      <ActiveDays days={days} until={until} />
                    </div>
                  )}
                  <div className={`${classes.charts} ${classes.screen}`}>
                    {figures.totals.completed > 0 && <WeekBars report={report} />}
                    <PeriodTable report={report} />
                  </div>
                  <LearnerCourses id={id} query={query} details={details} />
                </>
              )}
              {withdrawn.length > 0 && (
                <div className={classes.block}>
                  <Section title={t("reports.learner.withdrawn")}>
                    <ReportCourses {...details} rows={withdrawn} />
                  </Section>
                </div>
              )}
              {sessions.length > 0 && (
                <div className={`${classes.block} ${classes.screen}`}>
                  <Section
                    title={t("reports.learner.sessions")}
                    side={t("reports.learner.sessionCount", { count: summary.sessions ?? sessions.length })}
                  >
                    {!isLive && <p className={figureClasses.note}>{t("reports.learner.asStored")}</p>}
                    <SessionTable
                      sessions={sessions}
                      total={summary.sessions ?? sessions.length}
                      withCourse
                      hidden={learner.hidden}
                    />
                  </Section>
                </div>
              )}
              <Definitions kind="learner" />
            </>
          )}
        </div>
        <SessionDrawer />
        {admin && <CompletionDrawer id={completion.id} onClose={completion.close} />}
      </div>
    </TimeZone>
  );
}
