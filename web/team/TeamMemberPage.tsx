import { Anchor, Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconId } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useParams } from "react-router";
import { TeamCompletionDrawer } from "#web/courses/completion/TeamCompletionDrawer.tsx";
import { WhyButton } from "#web/courses/completion/WhyButton.tsx";
import { useCompletionDrawer } from "#web/courses/completion/useCompletionDrawer.ts";
import { call, queryFor } from "#web/core/api/api.ts";
import { lazyDialog } from "#web/core/dialog/lazyDialog.tsx";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { StatTile, StatTiles } from "#web/core/display/StatTiles.tsx";
import { formatAgoInText, formatDue, formatNumber } from "#web/core/format/format.ts";
import { isStatus } from "#web/core/http/http.ts";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { NotFoundPage } from "#web/core/layout/NotFoundPage.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { MemberOutlook } from "#web/outlook/MemberOutlook.tsx";
import { RemindTeam } from "#web/team/RemindTeam.tsx";
import { CourseStatus, Validity } from "#web/team/TeamStatus.tsx";
import classes from "#web/team/team.module.css";
import { DUE_SOON_DAYS, type TeamCourse, team } from "#shared/team/team.ts";
import { contactOf, nameOf } from "#web/core/display/person.ts";

const IssuePinDialog = lazyDialog(() =>
  import("#web/auth/pins/IssuePinDialog.tsx").then(({ IssuePinDialog }) => IssuePinDialog),
);

/** One of a manager's people: their courses with status, dates and validity of certificates. */
export function TeamMemberPage() {
  const { t } = useTranslation();
  const { id = "" } = useParams();
  const [isIssuing, pin] = useDisclosure();
  const { data: member, error } = useQuery({
    ...queryFor(team.get, { params: { id } }),
    throwOnError: (failure) => !isStatus(failure, 404),
  });
  if (error) return <NotFoundPage title={t("team.notFound")} text={t("team.notFoundText")} />;
  if (!member) return <PageSkeleton />;
  const name = nameOf(member);
  const dueNext = member.courses.find(({ state }) => state === "dueSoon")?.dueDate;
  const ledBy = member.direct ? t("team.directReport") : t("managers.ledBy", { name: member.manager });
  return (
    <>
      <PageHead
        title={name}
        mark={<PersonMark name={name} size={52} />}
        line={
          <>
            {member.email ? <Anchor href={`mailto:${member.email}`}>{member.email}</Anchor> : contactOf(member)},{" "}
            {ledBy}
            {!member.joined && `, ${t("team.invited")}`}
          </>
        }
        parent={{ to: "/team/people", label: t("team.peopleTitle") }}
        actions={
          <>
            {member.email === null && (
              <Button variant="default" leftSection={<IconId size={18} stroke={1.7} />} onClick={pin.open}>
                {t("auth.card.action")}
              </Button>
            )}
            {member.overdue > 0 && (
              <RemindTeam title={t("courses.remind.titleOne", { name })} target={{ ids: [id] }}>
                {t("courses.remind.action")}
              </RemindTeam>
            )}
          </>
        }
      />
      <IssuePinDialog
        opened={isIssuing}
        onClose={pin.close}
        name={name}
        issue={(body) => call(team.issuePin, { params: { id }, body })}
      />
      {member.courses.length === 0 ? (
        <EmptyState title={t("team.noCourses")} text={t("team.noCoursesText")} />
      ) : (
        <>
          <StatTiles>
            <StatTile
              label={t("team.completed")}
              value={formatNumber(member.completed)}
              note={t("team.figures.ofCourses", { count: member.assigned, n: formatNumber(member.assigned) })}
            />
            <StatTile label={t("team.is.overdue")} value={formatNumber(member.overdue)} bad={member.overdue > 0} />
            <StatTile
              label={t("team.figures.dueSoon", { days: DUE_SOON_DAYS })}
              value={formatNumber(member.dueSoon)}
              note={dueNext && t("courses.remind.due", { day: formatDue(dueNext) })}
            />
            <StatTile label={t("team.figures.notStarted")} value={formatNumber(member.notStarted)} />
          </StatTiles>
          <Section title={t("team.assigned")}>
            <CourseTable courses={member.courses} />
          </Section>
          <MemberOutlook id={id} />
        </>
      )}
      <p className={classes.note}>{t("team.privacyOne")}</p>
    </>
  );
}

function CourseTable({ courses }: { courses: TeamCourse[] }) {
  const { t } = useTranslation();
  const heads = {
    course: t("team.course"),
    status: t("team.status"),
    due: t("team.due"),
    started: t("team.started"),
    completed: t("team.completed"),
    certificate: t("team.certificate"),
  };
  const day = (when: string | null) => (when ? formatDue(when) : "–");
  const completion = useCompletionDrawer();
  const hasCertificates = courses.some(({ certificate }) => certificate);
  return (
    <>
      <table className={classes.table}>
        <thead>
          <tr>
            {Object.entries(heads).map(
              ([key, head]) =>
                (key !== "certificate" || hasCertificates) && (
                  <th key={key} scope="col">
                    {head}
                  </th>
                ),
            )}
          </tr>
        </thead>
        <tbody>
          {courses.map((course) => (
            <tr key={course.id}>
              <td id={`course-${course.id}`}>{course.course}</td>
              <td data-head={heads.status}>
                <span>
                  <CourseStatus course={course} />
                  <WhyButton
                    isComplete={course.state === "done"}
                    describedBy={`course-${course.id}`}
                    onClick={() => completion.open(course.id)}
                  />
                  {course.state === "overdue" && course.remindedAt && (
                    <span className={classes.minor}>
                      {" "}
                      {t("courses.remind.last", { when: formatAgoInText(course.remindedAt) })}
                    </span>
                  )}
                </span>
              </td>
              <td data-head={heads.due} data-empty={course.dueDate ? undefined : true}>
                {day(course.dueDate)}
              </td>
              <td data-head={heads.started} data-empty={course.startedOn ? undefined : true}>
                {day(course.startedOn)}
              </td>
              <td data-head={heads.completed} data-empty={course.completedOn ? undefined : true}>
                {day(course.completedOn)}
              </td>
              {hasCertificates && (
                <td data-head={heads.certificate} data-empty={course.certificate ? undefined : true}>
                  <Validity certificate={course.certificate} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <TeamCompletionDrawer id={completion.id} onClose={completion.close} />
    </>
  );
}
