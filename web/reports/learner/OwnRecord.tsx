import { Anchor, Button } from "@mantine/core";
import { IconPlayerPlayFilled } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import type { ReactElement, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { Meter } from "#web/core/display/Meter.tsx";
import { Pill } from "#web/core/display/Pill.tsx";
import { StatTile, StatTiles } from "#web/core/display/StatTiles.tsx";
import { formatDate, formatDue, formatDuration, formatNumber, formatPercent } from "#web/core/format/format.ts";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { CourseProgress } from "#web/courses/learner/CourseProgress.tsx";
import { PersonFields } from "#web/fields/PersonFields.tsx";
import { launchPath } from "#web/core/format/launchPath.ts";
import { ReportActions } from "#web/reports/figures/ReportActions.tsx";
import classes from "#web/reports/learner/OwnRecord.module.css";
import { courses } from "#shared/courses/courses.ts";
import type { Enrolment, MyCourse } from "#shared/courses/enrolments.ts";
import { reports } from "#shared/reports/reports.ts";
import { nameOf } from "#web/core/display/person.ts";

/** The learner's view of their own record: next courses, completed courses, and the proof of them. */
export function OwnRecord({ id }: { id: string }) {
  const { t } = useTranslation();
  const { data } = useSuspenseQuery(queryFor(reports.learner, { params: { id }, query: {} }));
  const { data: mine } = useSuspenseQuery(queryFor(courses.mine));
  const { learner, summary, enrolments } = data;
  const name = nameOf(learner);
  const next = enrolments.filter(isOpen).toSorted(byUrgency);
  const completed = enrolments
    .filter(({ status }) => status === "completed")
    .toSorted((a, b) => (b.completedAt ?? "").localeCompare(a.completedAt ?? ""));
  return (
    <>
      <PageHead
        title={t("reports.own.title")}
        mark={<PersonMark name={name} size={52} />}
        line={[name, learner.company].filter(Boolean).join(", ")}
        parent={{ to: "/my-courses", label: t("reports.learner.myCourses") }}
        actions={<ReportActions id={id} kind="learner" query={{}} total={summary.assigned} />}
      />
      <PersonFields id={id} />
      {summary.assigned === 0 && completed.length === 0 ? (
        <EmptyState title={t("reports.learner.none")} text={t("reports.learner.noneSelf")} />
      ) : (
        <>
          <StatTiles>
            <StatTile
              label={t("reports.report.figures.completed")}
              value={t("reports.stats.of", {
                done: formatNumber(summary.completed),
                all: formatNumber(summary.assigned),
              })}
            />
            <StatTile
              label={t("reports.report.figures.overdue")}
              value={formatNumber(summary.overdue)}
              bad={summary.overdue > 0}
              note={summary.nextDue ? t("reports.stats.nextDue", { day: formatDue(summary.nextDue) }) : undefined}
            />
            <StatTile label={t("reports.report.figures.meanScore")} value={formatPercent(summary.meanScore)} />
            <StatTile label={t("reports.own.time")} value={formatDuration(summary.activeSeconds)} />
          </StatTiles>
          <p>
            <Anchor component={Link} to="?view=details" fw={600}>
              {t("reports.own.details")}
            </Anchor>
          </p>
          <div className={classes.sections}>
            <RecordSection title={t("reports.own.next")} none={t("reports.own.nothingNext")}>
              {next.map((row) => (
                <NextRow key={row.id} row={row} mine={mine.items.find(({ courseId }) => courseId === row.courseId)} />
              ))}
            </RecordSection>
            <RecordSection title={t("reports.own.completed")} none={t("reports.own.nothingCompleted")}>
              {completed.map((row) => (
                <CompletedRow key={row.id} row={row} />
              ))}
            </RecordSection>
            <Section title={t("reports.own.proof")}>
              <p className={classes.text}>{t("reports.own.proofText")}</p>
            </Section>
          </div>
        </>
      )}
    </>
  );
}

const isOpen = ({ status }: Enrolment) => status !== "completed" && status !== "withdrawn";

/** Overdue first, then by due date, courses without one last. */
const byUrgency = (a: Enrolment, b: Enrolment) =>
  Number(b.overdue) - Number(a.overdue) || (a.dueDate ?? "9999").localeCompare(b.dueDate ?? "9999");

/** A list of courses, or a sentence if there are none. */
function RecordSection({ title, none, children }: { title: string; none: string; children: ReactElement[] }) {
  return (
    <Section title={title}>
      {children.length === 0 ? <p className={classes.none}>{none}</p> : <ul className={classes.rows}>{children}</ul>}
    </Section>
  );
}

/** The name of a course above its facts; `side` is at the end of the row. */
function CourseRow({ row: { courseId, course }, side, children }: RowProps) {
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <Link to={`/courses/${courseId}`} className={classes.name}>
          {course}
        </Link>
        <p className={classes.facts}>{children}</p>
      </div>
      {side}
    </li>
  );
}
type RowProps = { row: Enrolment; side: ReactNode; children: ReactNode };

function NextRow({ row, mine }: { row: Enrolment; mine: MyCourse | undefined }) {
  const { t } = useTranslation();
  const { course, status, progress, dueDate, overdue, startedAt } = row;
  const day = dueDate && formatDue(dueDate);
  const started = status === "failed" ? "again" : "continue";
  return (
    <CourseRow
      row={row}
      side={
        <Button
          component={Link}
          to={launchPath(row, status === "failed")}
          variant={overdue ? "filled" : "default"}
          leftSection={<IconPlayerPlayFilled size={14} />}
        >
          {t(`courses.verbs.${startedAt ? started : "start"}`)}
          <span className="ly-hidden"> {course}</span>
        </Button>
      }
    >
      {overdue && <Pill tone="bad">{t("reports.own.overdue", { day })}</Pill>}
      {!overdue && day && <span>{t("reports.own.due", { day })}</span>}
      {startedAt ? <Progress percent={progress} course={mine} /> : <span>{t("courses.enrolment.assigned")}</span>}
    </CourseRow>
  );
}

/** In parts, as in the list of courses; in percent for a course with a single part. */
function Progress({ percent, course }: { percent: number | null; course: MyCourse | undefined }) {
  const { t } = useTranslation();
  if (!course || course.parts <= 1) return <Meter percent={percent ?? 0} />;
  return (
    <>
      <CourseProgress course={course} />
      <span>{t("courses.mine.partsOf", { done: formatNumber(course.partsDone), count: course.parts })}</span>
    </>
  );
}

function CompletedRow({ row }: { row: Enrolment }) {
  const { t } = useTranslation();
  const { completedAt, success, scorePercent } = row;
  return (
    <CourseRow
      row={row}
      side={scorePercent !== null && <span className={classes.score}>{formatPercent(scorePercent)}</span>}
    >
      {completedAt && <time dateTime={completedAt}>{formatDate(completedAt)}</time>}
      <Pill tone="ok">{t(success === "passed" ? "courses.enrolment.passed" : "courses.enrolment.completed")}</Pill>
    </CourseRow>
  );
}
