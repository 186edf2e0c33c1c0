import { Button } from "@mantine/core";
import { IconCheck, IconLock, IconPlayerPlayFilled } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import { lazy, type ReactNode, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { Cover } from "#web/core/brand/Cover.tsx";
import { Colonnade } from "#web/core/display/Colonnade.tsx";
import { formatDate, formatDuration } from "#web/core/format/format.ts";
import line from "#web/core/display/stepLine.module.css";
import { launchPath } from "#web/core/format/launchPath.ts";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { findNext, isBeingComputed } from "#web/courses/learner/paths/nextStep.ts";
import classes from "#web/courses/learner/paths/paths.module.css";
import { StepDue } from "#web/courses/learner/paths/StepDue.tsx";
import type { MyPath, MyPathCourse, MyPathStep } from "#shared/paths/myPaths.ts";
import { paths } from "#shared/paths/paths.ts";

const PathCertificate = lazy(() =>
  import("#web/certificates/PathCertificate.tsx").then((module) => ({ default: module.PathCertificate })),
);

/** How often, and at most how many times, the path is fetched while a job computes what a completed course opens. */
const FETCH_MS = 1500;
const MAX_FETCHES = 20;

/** `/paths/:id`: a learning path for its learner. */
export function PathPage() {
  const { t } = useTranslation();
  const { id = "" } = useParams();
  const { data: path } = useSuspenseQuery({
    ...queryFor(paths.mineOne, { params: { id } }),
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data && isBeingComputed(data) && dataUpdateCount < MAX_FETCHES ? FETCH_MS : false,
  });
  const next = findNext(path);
  const done = path.steps.filter(({ state }) => state === "done").length;
  const progress = t("paths.mine.stepOf", { done, steps: path.steps.length });
  const certificate = (
    <div className={classes.certificate}>
      <Suspense>
        <PathCertificate key={path.completedAt} pathId={path.id} />
      </Suspense>
    </div>
  );
  return (
    <>
      <PageHead
        title={path.title}
        parent={{ to: "/my-courses", label: t("courses.mine.title") }}
        line={path.completedAt ? t("paths.mine.complete", { day: formatDate(path.completedAt) }) : path.description}
        actions={
          next && (
            <Button
              component={Link}
              to={launchPath({ companyId: path.companyId, courseId: next.course.courseId })}
              size="md"
              leftSection={<IconPlayerPlayFilled size={16} />}
              className={classes.main}
            >
              {t(next.course.status === "assigned" ? "paths.mine.startNext" : "paths.mine.continueNext", {
                title: next.course.title,
              })}
            </Button>
          )
        }
      />
      <div className={classes.standing}>
        <Colonnade
          total={path.steps.length}
          done={done}
          current={path.completedAt ? null : done + 1}
          size="md"
          label={progress}
        />
        <span aria-hidden>{progress}</span>
      </div>
      {path.completedAt && certificate}
      {path.completedAt && path.description && <p className={classes.description}>{path.description}</p>}
      <ol className={`${line.line} ${classes.steps}`} aria-label={t("paths.mine.steps")}>
        {path.steps.map((step) => (
          <li key={step.id} data-state={step.state} data-next={next?.step.id === step.id || undefined}>
            <Step step={step} path={path} />
          </li>
        ))}
      </ol>
      {!path.completedAt && certificate}
    </>
  );
}

/** “A” and “B” */
function listTitles(t: TFunction, titles: string[]) {
  const quoted = titles.map((title) => t("paths.mine.quoted", { title }));
  const last = quoted.pop() ?? "";
  return quoted.length > 0 ? t("paths.mine.and", { first: quoted.join(", "), last }) : last;
}

function Step({ step, path }: { step: MyPathStep; path: MyPath }) {
  const { t } = useTranslation();
  const isChoice = step.courses.length > 1;
  const [single] = step.courses;
  const state = (
    <span className={classes.state}>
      {step.state === "done" && step.doneAt && (
        <>
          <IconCheck size={15} stroke={2} aria-hidden />
          {t("paths.mine.doneOn", { day: formatDate(step.doneAt) })}
        </>
      )}
      {step.state === "locked" && (
        <>
          <IconLock size={15} stroke={1.8} aria-hidden />
          {t("paths.mine.lockedAfter", { steps: listTitles(t, step.opensAfter) })}
        </>
      )}
      <StepDue step={step} />
    </span>
  );
  if (!isChoice && single) return <CourseRow course={single} step={step} path={path} note={state} isStep />;
  const done = step.courses.filter(({ status }) => status === "completed").length;
  return (
    <div className={classes.choice}>
      <h2>{step.title}</h2>
      <p className={classes.facts}>
        {t("paths.mine.choose", { needed: step.needed, offered: step.courses.length })}
        {step.state === "open" && done > 0 && `, ${t("paths.mine.chosen", { done, needed: step.needed })}`}
      </p>
      {state}
      <ul>
        {step.courses.map((course) => (
          <li key={course.courseId}>
            <CourseRow course={course} step={step} path={path} />
          </li>
        ))}
      </ul>
    </div>
  );
}

type RowProps = {
  course: MyPathCourse;
  step: MyPathStep;
  path: MyPath;
  note?: ReactNode;
  /** The course is the only one of its step. */
  isStep?: boolean;
};

function CourseRow({ course, step, path, note, isStep }: RowProps) {
  const { t } = useTranslation();
  const { courseId, title, minutes, status, completedAt, isArchived } = course;
  const Title = isStep ? "h2" : "h3";
  const go = status === "assigned" ? "start" : "continue";
  const verb = status === "completed" ? "review" : go;
  return (
    <div className={classes.row}>
      <span className={classes.cover} data-locked={step.state === "locked" || undefined}>
        <Cover code={course.code} />
      </span>
      <div className={classes.words}>
        <Title>{status ? <Link to={`/courses/${courseId}`}>{title}</Link> : title}</Title>
        {minutes !== null && <span className={classes.facts}>{formatDuration(minutes * 60)}</span>}
        {note}
        {!isStep && status === "completed" && completedAt && (
          <span className={classes.state}>
            <IconCheck size={15} stroke={2} aria-hidden />
            {t("paths.mine.doneOn", { day: formatDate(completedAt) })}
          </span>
        )}
        {step.state === "open" && status === null && (
          <span className={classes.facts}>{isArchived ? t("paths.mine.archived") : t("paths.mine.notGiven")}</span>
        )}
      </div>
      {status && step.state !== "locked" && (
        <Button
          component={Link}
          to={launchPath({ companyId: path.companyId, courseId })}
          variant={verb === "review" ? "subtle" : "default"}
          size="xs"
          className={classes.verb}
        >
          {t(`paths.mine.${verb}`)}
          <span className="ly-hidden"> {title}</span>
        </Button>
      )}
    </div>
  );
}
