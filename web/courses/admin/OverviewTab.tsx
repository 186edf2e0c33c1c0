import { Button } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { hasNoCompletions } from "#web/courses/admin/hasNoCompletions.ts";
import { ruleText } from "#web/courses/ruleText.ts";
import { PartList } from "#web/courses/PartList.tsx";
import classes from "#web/courses/admin/OverviewTab.module.css";
import { WarningList } from "#web/packages/WarningList.tsx";
import { AsideCard } from "#web/core/layout/AsideCard.tsx";
import { formatDate, formatDuration, formatNumber, formatPercent } from "#web/core/format/format.ts";
import { StatTiles, StatTile } from "#web/core/display/StatTiles.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { TwoColumns } from "#web/core/layout/TwoColumns.tsx";
import type { CourseDetail } from "#shared/courses/courses.ts";
import { shareOf } from "#shared/core/percent.ts";

/** Key figures, summary, parts, and warnings about the live version. */
export function OverviewTab({ course, onAssign }: { course: CourseDetail; onAssign: () => void }) {
  const { t } = useTranslation();
  const learners = `/courses/${course.id}?tab=learners`;
  const live = course.versions.find((version) => version.live);
  const warnings = live?.warnings ?? [];

  return (
    <>
      <StatTiles>
        <StatTile
          label={t("courses.companies")}
          value={formatNumber(course.companies)}
          to={`/companies?courseId=${course.id}`}
        />
        <StatTile label={t("courses.assigned")} value={formatNumber(course.learners)} to={learners} />
        <StatTile
          label={t("courses.completed")}
          value={formatPercent(shareOf(course.completed, course.learners))}
          to={`${learners}&status=completed`}
          note={
            course.learners > 0 &&
            t("courses.overview.completedOf", {
              done: formatNumber(course.completed),
              all: formatNumber(course.learners),
            })
          }
        />
        <StatTile
          label={t("courses.overview.started")}
          value={formatNumber(course.completed + course.inProgress)}
          to={`/reports/course/${course.id}?group=started#people`}
        />
        <StatTile
          label={t("courses.overview.overdue")}
          value={formatNumber(course.overdue)}
          bad={course.overdue > 0}
          to={`${learners}&overdue=true`}
        />
      </StatTiles>
      {hasNoCompletions(course) && (
        <div className={classes.callout} role="note">
          <IconAlertTriangle size={20} stroke={1.6} aria-hidden />
          <div>
            <p className={classes.calloutTitle}>{t("courses.overview.noCompletions", { count: course.inProgress })}</p>
            <p className={classes.calloutText}>
              {t("courses.overview.noCompletionsText")}{" "}
              <Link to={`/courses/${course.id}?tab=settings`}>{t("courses.overview.chooseRule")}</Link>
            </p>
          </div>
        </div>
      )}
      {warnings.length > 0 && (
        <div className={classes.callout} role="note">
          <IconAlertTriangle size={20} stroke={1.6} aria-hidden />
          <div>
            <p className={classes.calloutTitle}>
              {t("courses.overview.warnings", { count: warnings.length, number: live?.number })}
            </p>
            <WarningList warnings={warnings} />
          </div>
        </div>
      )}
      {course.learners === 0 && course.status === "published" && (
        <div className={classes.first}>
          <p>{t("courses.overview.noLearners")}</p>
          <Button variant="default" onClick={onAssign}>
            {t("courses.assign.action")}
          </Button>
        </div>
      )}
      <TwoColumns
        aside={
          <AsideCard title={t("courses.overview.facts")}>
            <dl className={classes.list}>
              <dt>{t("courses.code")}</dt>
              <dd>
                <code className={classes.code}>{course.code}</code>
              </dd>
              <dt>{t("courses.length")}</dt>
              <dd>{course.minutes ? formatDuration(course.minutes * 60) : t("courses.overview.notSet")}</dd>
              <dt>{t("courses.rule.label")}</dt>
              <dd>
                {ruleText(course.completionRule, course.kind)}{" "}
                <Link to={`/courses/${course.id}/completion`}>{t("courses.overview.change")}</Link>
              </dd>
              <dt>{t("courses.overview.added")}</dt>
              <dd>{formatDate(course.createdAt)}</dd>
            </dl>
          </AsideCard>
        }
      >
        {course.summary && (
          <Section title={t("courses.summary")}>
            <p className={classes.summary}>{course.summary}</p>
          </Section>
        )}
        <Section title={t("courses.overview.parts")} side={t("courses.parts", { count: course.parts })}>
          <PartList titles={course.partTitles} />
        </Section>
      </TwoColumns>
    </>
  );
}
