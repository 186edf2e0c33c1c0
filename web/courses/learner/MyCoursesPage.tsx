import { useSuspenseQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useNavigate } from "react-router";
import { CourseCards } from "#web/courses/admin/CourseCards.tsx";
import { LeftNotice } from "#web/courses/learner/LeftNotice.tsx";
import classes from "#web/courses/learner/MyCoursesPage.module.css";
import { NextDates } from "#web/courses/learner/NextDates.tsx";
import { StoppedNotice } from "#web/courses/learner/StoppedNotice.tsx";
import { useJournalReplay } from "#web/courses/learner/useJournalReplay.ts";
import { queryFor } from "#web/core/api/api.ts";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { formatPercent } from "#web/core/format/format.ts";
import { Heading } from "#web/core/layout/Heading.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { useUser } from "#web/core/session/session.tsx";
import { courses, type MyCourse } from "#shared/courses.ts";

type Left = { stored: boolean; courseId: string };

/** Where a learner starts: where they stopped, what is open, what is due. */
export function MyCoursesPage() {
  const { t } = useTranslation();
  const user = useUser();
  const navigate = useNavigate();
  const location = useLocation();
  const { data, refetch } = useSuspenseQuery(queryFor(courses.mine));
  const arrived = useJournalReplay();
  const left = (location.state as { left?: Left } | null)?.left;
  /** What was on screen before the course is old news: a result stands there only once the server has been asked again. */
  const [current, setCurrent] = useState(!left);
  const came = left !== undefined;
  useEffect(() => {
    if (came) void refetch().finally(() => setCurrent(true));
  }, [came, refetch]);
  const stopped = data.items.find(
    ({ status, archived, lastActivityAt }) => status === "in_progress" && !archived && lastActivityAt,
  );
  const rest = data.items.filter(({ courseId }) => courseId !== stopped?.courseId);
  const name = user?.name.trim().split(/\s+/)[0];
  const [part] = useState(() => partOfDay(new Date().getHours()));

  return (
    <>
      <Heading className={classes.greeting} title={t("courses.mine.title")}>
        {name ? t(`courses.mine.greeting.${part}`, { name }) : t(`courses.mine.greetingNoName.${part}`)}
      </Heading>
      {left && (
        <LeftNotice
          course={current ? data.items.find(({ courseId }) => courseId === left.courseId) : undefined}
          saved={left.stored || arrived}
          onClose={() => void navigate(location.pathname + location.search, { replace: true, state: null })}
        />
      )}
      {data.items.length === 0 ? (
        <EmptyState
          title={t("courses.mine.none")}
          text={t("courses.mine.noneText")}
          hint={t("courses.mine.noneHint")}
        />
      ) : (
        <>
          {stopped && (
            <div className={classes.stopped}>
              <StoppedNotice course={stopped} />
            </div>
          )}
          {(rest.length > 0 || !stopped) && (
            <CourseCards title={t("courses.mine.yours")} courses={data.items} apart={stopped?.courseId} />
          )}
          <div className={classes.columns}>
            <NextDates courses={data.items} />
            <Record items={data.items} userId={user?.id ?? ""} />
          </div>
        </>
      )}
    </>
  );
}

const partOfDay = (hour: number): "morning" | "afternoon" | "evening" =>
  hour >= 5 && hour < 12 ? "morning" : hour >= 12 && hour < 18 ? "afternoon" : "evening";

/** How much is done, and the way to the whole record. */
function Record({ items, userId }: { items: MyCourse[]; userId: string }) {
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
    </Section>
  );
}
