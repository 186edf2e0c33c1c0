import { Button } from "@mantine/core";
import { IconPlayerPlayFilled } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Cover } from "#web/core/brand/Cover.tsx";
import { Colonnade } from "#web/core/display/Colonnade.tsx";
import { formatDate } from "#web/core/format/format.ts";
import { launchPath } from "#web/core/format/launchPath.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { findNext } from "#web/courses/learner/paths/nextStep.ts";
import classes from "#web/courses/learner/paths/paths.module.css";
import { StepDue } from "#web/courses/learner/paths/StepDue.tsx";
import type { MyPath } from "#shared/paths/myPaths.ts";

/** The learning paths on the start page: how far the learner is, and the next step. */
export function PathCards({ paths }: { paths: MyPath[] }) {
  const { t } = useTranslation();
  if (paths.length === 0) return null;
  return (
    <div className={classes.cards}>
      <Section title={t("paths.mine.heading")}>
        <ul className={classes.list}>
          {paths.map((path) => (
            <PathCard key={path.id} path={path} />
          ))}
        </ul>
      </Section>
    </div>
  );
}

function PathCard({ path }: { path: MyPath }) {
  const { t } = useTranslation();
  const { id, companyId, title, steps, completedAt } = path;
  const done = steps.filter(({ state }) => state === "done").length;
  const next = findNext(path);
  const todo = next ? t("paths.mine.nextStep", { step: next.course.title }) : t("paths.mine.waiting");
  return (
    <li className={classes.card}>
      <div className={classes.cover}>
        <Cover code={id} />
      </div>
      <div className={classes.words}>
        <h3>
          <Link to={`/paths/${id}`}>{title}</Link>
        </h3>
        <p className={classes.next}>
          {completedAt ? t("paths.mine.complete", { day: formatDate(completedAt) }) : todo}
        </p>
        <div className={classes.progress}>
          <Colonnade
            total={steps.length}
            done={done}
            current={completedAt ? null : done + 1}
            size="md"
            label={t("paths.mine.stepOf", { done, steps: steps.length })}
          />
          <span aria-hidden>{t("paths.mine.stepOf", { done, steps: steps.length })}</span>
          {next && <StepDue step={next.step} />}
        </div>
      </div>
      {next && (
        <Button
          component={Link}
          to={launchPath({ companyId, courseId: next.course.courseId })}
          variant="default"
          leftSection={<IconPlayerPlayFilled size={14} />}
          className={classes.go}
        >
          {t(next.course.status === "assigned" ? "paths.mine.start" : "paths.mine.continue")}
          <span className="ly-hidden"> {next.course.title}</span>
        </Button>
      )}
    </li>
  );
}
