import { Anchor, Button } from "@mantine/core";
import { IconShieldCheck, IconUsers } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { StatTile, StatTiles } from "#web/core/display/StatTiles.tsx";
import { formatAgoInText, formatNumber } from "#web/core/format/format.ts";
import { AsideCard } from "#web/core/layout/AsideCard.tsx";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { TwoColumns } from "#web/core/layout/TwoColumns.tsx";
import { CourseBars } from "#web/team/CourseBars.tsx";
import { RemindTeam } from "#web/team/RemindTeam.tsx";
import { CourseStatus } from "#web/team/TeamStatus.tsx";
import classes from "#web/team/team.module.css";
import { DUE_SOON_DAYS, ENDING_DAYS, type TeamCourse, type TeamFilter, team } from "#shared/team/team.ts";
import { nameOf } from "#web/core/display/person.ts";

const TeamRequests = lazy(() =>
  import("#web/catalogue/TeamRequests.tsx").then((module) => ({ default: module.TeamRequests })),
);

const listOf = (state: TeamFilter) => `/team/people?state=${state}`;

/** What needs a manager: who is overdue, due soon or has not begun, each with one action. */
export function TeamPage() {
  const { t } = useTranslation();
  const { data } = useSuspenseQuery(queryFor(team.home));
  const { people, direct, figures, overdue, dueNext, idle, courses, hasRequirements } = data;
  const numbers = { count: people, n: formatNumber(people), direct: formatNumber(direct) };
  const needsNothing = overdue.length + dueNext.length + idle.total === 0;
  const more = (count: number, shown: number, state: TeamFilter) =>
    count > shown && (
      <Anchor component={Link} to={listOf(state)} className={classes.more ?? ""}>
        {t("team.all", { count, n: formatNumber(count) })}
      </Anchor>
    );
  if (people === 0)
    return (
      <>
        <PageHead title={t("team.title")} />
        <EmptyState title={t("team.nobody")} text={t("team.nobodyText")} />
      </>
    );
  return (
    <>
      <PageHead
        title={t("team.title")}
        line={t(direct === people ? "team.lineDirect" : "team.line", numbers)}
        actions={
          <>
            {hasRequirements && (
              <Button
                variant="default"
                component={Link}
                to="/team/compliance"
                leftSection={<IconShieldCheck size={18} stroke={1.7} />}
              >
                {t("requirements.title")}
              </Button>
            )}
            <Button
              variant="default"
              component={Link}
              to="/team/people"
              leftSection={<IconUsers size={18} stroke={1.7} />}
            >
              {t("team.allPeople")}
            </Button>
          </>
        }
      />
      <Suspense>
        <TeamRequests />
      </Suspense>
      <StatTiles>
        <StatTile
          label={t("team.figures.overdue")}
          value={formatNumber(figures.overdue)}
          note={t("team.figures.people", { count: figures.overdue })}
          bad={figures.overdue > 0}
          to={listOf("overdue")}
        />
        <StatTile
          label={t("team.figures.dueSoon", { days: DUE_SOON_DAYS })}
          value={formatNumber(figures.dueSoon)}
          note={t("team.figures.people", { count: figures.dueSoon })}
          to={listOf("dueSoon")}
        />
        <StatTile
          label={t("team.figures.notStarted")}
          value={formatNumber(figures.notStarted)}
          note={t("team.figures.notStartedNote")}
          to={listOf("notStarted")}
        />
        {figures.ending > 0 && (
          <StatTile
            label={t("team.figures.ending")}
            value={formatNumber(figures.ending)}
            note={t("team.figures.endingNote", { days: ENDING_DAYS })}
            to={listOf("ending")}
          />
        )}
        <StatTile
          label={t("team.figures.inOrder")}
          value={formatNumber(figures.inOrder)}
          note={t("team.figures.of", numbers)}
          to={listOf("inOrder")}
        />
      </StatTiles>
      <TwoColumns
        aside={
          courses.length > 0 && (
            <AsideCard title={t("team.byCourse")}>
              <CourseBars courses={courses} />
            </AsideCard>
          )
        }
      >
        {needsNothing && <EmptyState title={t("team.nothing")} text={t("team.nothingText")} />}
        {overdue.length > 0 && (
          <Section
            title={t("team.needsYou")}
            side={
              figures.overdue > 1 && (
                <RemindTeam
                  size="xs"
                  className={classes.wide ?? ""}
                  title={t("team.remindAllTitle", { count: figures.overdue, n: formatNumber(figures.overdue) })}
                  target={{}}
                >
                  {t("team.remindAll")}
                </RemindTeam>
              )
            }
          >
            <ul className={classes.list}>
              {overdue.map((course) => (
                <CourseRow key={course.id} course={course} canRemind />
              ))}
            </ul>
            {more(figures.overdue, new Set(overdue.map(({ userId }) => userId)).size, "overdue")}
          </Section>
        )}
        {dueNext.length > 0 && (
          <Section title={t("team.dueNext")}>
            <ul className={classes.list}>
              {dueNext.map((course) => (
                <CourseRow key={course.id} course={course} />
              ))}
            </ul>
            {more(figures.dueSoon, new Set(dueNext.map(({ userId }) => userId)).size, "dueSoon")}
          </Section>
        )}
        {idle.total > 0 && (
          <Section title={t("team.idle")}>
            <ul className={classes.list}>
              {idle.people.map((member) => (
                <li key={member.id} className={classes.row} data-short>
                  <PersonMark name={nameOf(member)} />
                  <span className={classes.words}>
                    <Link to={`/team/people/${member.id}`} className={classes.name}>
                      {nameOf(member)}
                    </Link>
                    <span className={classes.minor}>
                      {member.joined
                        ? t("team.coursesCount", { count: member.assigned, n: formatNumber(member.assigned) })
                        : t("team.invited")}
                    </span>
                  </span>
                </li>
              ))}
            </ul>
            {more(idle.total, idle.people.length, "idle")}
          </Section>
        )}
        <p className={classes.note}>{t("team.privacy")}</p>
      </TwoColumns>
    </>
  );
}

function CourseRow({ course, canRemind = false }: { course: TeamCourse; canRemind?: boolean }) {
  const { t } = useTranslation();
  const name = nameOf(course);
  return (
    <li className={classes.row} data-short={canRemind ? undefined : true}>
      <PersonMark name={name} />
      <span className={classes.words}>
        <Link to={`/team/people/${course.userId}`} className={classes.name}>
          {name}
        </Link>
        <span className={classes.minor}>
          {course.course}
          {course.remindedAt && `, ${t("courses.remind.last", { when: formatAgoInText(course.remindedAt) })}`}
        </span>
      </span>
      <span className={classes.state}>
        <CourseStatus course={course} />
      </span>
      {canRemind && (
        <span className={classes.act}>
          <RemindTeam
            size="xs"
            title={t("courses.remind.titleOf", { name, title: course.course })}
            target={{ ids: [course.userId], courseId: course.courseId }}
          >
            {t("courses.remind.action")}
            <span className="ly-hidden">
              : {name}, {course.course}
            </span>
          </RemindTeam>
        </span>
      )}
    </li>
  );
}
