import { useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useNavigate } from "react-router";
import { CourseCards } from "#web/courses/learner/CourseCards.tsx";
import { ExitNotice } from "#web/courses/learner/ExitNotice.tsx";
import classes from "#web/courses/learner/MyCoursesPage.module.css";
import { UpcomingDates } from "#web/courses/learner/UpcomingDates.tsx";
import { ResumeCard } from "#web/courses/learner/ResumeCard.tsx";
import { PathCards } from "#web/courses/learner/paths/PathCards.tsx";
import { useJournalReplay } from "#web/courses/learner/useJournalReplay.ts";
import { queriesOf, queryFor } from "#web/core/api/api.ts";
import { useSettledQueries } from "#web/core/api/useSettledQueries.ts";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { formatPercent } from "#web/core/format/format.ts";
import { Heading } from "#web/core/layout/Heading.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { MeasuresNotice, ownMeasures } from "#web/measures/OwnMeasures.tsx";
import { useUser } from "#web/core/session/session.tsx";
import { BotLinks } from "#web/conversations/BotLinks.tsx";
import { botLinksQuery } from "#web/conversations/botLinksQuery.ts";
import { courses } from "#shared/courses/courses.ts";
import type { MyCourse } from "#shared/courses/enrolments.ts";
import { findStarted } from "#shared/courses/nextCourse.ts";
import { paths } from "#shared/paths/paths.ts";

/** Passed by the player when it is left. */
type ExitResult = { stored: boolean; courseId: string };

/** The start page of learners: the course to resume, their courses, and upcoming due dates. */
export function MyCoursesPage() {
  const { t } = useTranslation();
  const user = useUser();
  const navigate = useNavigate();
  const location = useLocation();
  useSettledQueries([queryFor(courses.mine), queryFor(paths.mine), botLinksQuery(null), ownMeasures()]);
  const { data, refetch } = useSuspenseQuery(queryFor(courses.mine));
  const { data: own } = useQuery(queryFor(paths.mine));
  const client = useQueryClient();
  const isReplayed = useJournalReplay();
  const exit = (location.state as { exit?: ExitResult } | null)?.exit;
  /** The cached list is outdated after a course was left: its result is shown once the list was refetched. */
  const [isCurrent, setCurrent] = useState(!exit);
  const hasExited = exit !== undefined;
  useEffect(() => {
    if (hasExited) void refetch().finally(() => setCurrent(true));
    if (hasExited) void client.invalidateQueries(queriesOf(paths.mine));
  }, [hasExited, refetch, client]);
  const resumable = findStarted(data.items);
  const rest = data.items.filter(({ courseId }) => courseId !== resumable?.courseId);
  const name = user?.name.trim().split(/\s+/)[0];
  const [part] = useState(() => partOfDay(new Date().getHours()));

  return (
    <>
      <Heading className={classes.greeting} title={t("courses.mine.title")}>
        {name ? t(`courses.mine.greeting.${part}`, { name }) : t(`courses.mine.greetingNoName.${part}`)}
      </Heading>
      {exit && (
        <ExitNotice
          course={isCurrent ? data.items.find(({ courseId }) => courseId === exit.courseId) : undefined}
          saved={exit.stored || isReplayed}
          onClose={() => void navigate(location.pathname + location.search, { replace: true, state: null })}
        />
      )}
      <MeasuresNotice />
      <PathCards paths={own?.items ?? []} />
      {data.items.length === 0 ? (
        <EmptyState
          title={t("courses.mine.none")}
          text={t("courses.mine.noneText")}
          hint={t("courses.mine.noneHint")}
        />
      ) : (
        <>
          {resumable && (
            <div className={classes.resume}>
              <ResumeCard course={resumable} />
            </div>
          )}
          {(rest.length > 0 || !resumable) && (
            <CourseCards
              title={t(resumable ? "courses.mine.others" : "courses.mine.yours")}
              courses={data.items}
              excluded={resumable?.courseId}
            />
          )}
          <div className={classes.columns}>
            <UpcomingDates courses={data.items} userId={user?.companyId ? user.id : null} />
            <RecordSummary items={data.items} userId={user?.id ?? ""} />
          </div>
        </>
      )}
      <BotLinks courseId={null} />
    </>
  );
}

function partOfDay(hour: number): "morning" | "afternoon" | "evening" {
  if (hour >= 5 && hour < 12) return "morning";
  return hour >= 12 && hour < 18 ? "afternoon" : "evening";
}

/** A summary of the learning record with a link to it. */
function RecordSummary({ items, userId }: { items: MyCourse[]; userId: string }) {
  const { t } = useTranslation();
  const done = items.filter(({ status }) => status === "completed").length;
  const scores = items.flatMap(({ scorePercent }) => (scorePercent === null ? [] : [scorePercent]));
  const mean = scores.length > 0 ? scores.reduce((sum, score) => sum + score, 0) / scores.length : null;
  return (
    <Section title={t("courses.mine.record")}>
      <p className={classes.record}>
        {t("courses.mine.doneOf", { done, count: items.length })}{" "}
        {mean !== null && t("courses.mine.mean", { score: formatPercent(mean) })}
      </p>
      <Link to={`/learners/report/${userId}`} className={classes.more}>
        {t("courses.mine.openRecord")}
      </Link>
      <Link to="/certificates" className={classes.more}>
        {t("courses.mine.openCertificates")}
      </Link>
    </Section>
  );
}
