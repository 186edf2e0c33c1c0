import { Button } from "@mantine/core";
import { lazy, Suspense } from "react";
import { IconPlayerPlayFilled } from "@tabler/icons-react";
import { useSuspenseQueries } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { CertificateCard } from "#web/certificates/CertificateCard.tsx";
import { ownCompletionQuery } from "#web/courses/completion/ownCompletionQuery.ts";
import { CourseNote } from "#web/courses/learner/CourseNote.tsx";
import { CourseProgress, partsDoneInOrder } from "#web/courses/learner/CourseProgress.tsx";
import { EnrolmentStatus } from "#web/courses/EnrolmentStatus.tsx";
import { launchPath } from "#web/core/format/launchPath.ts";
import classes from "#web/courses/learner/MyCourse.module.css";
import { WhyEnrolled } from "#web/courses/WhyEnrolled.tsx";
import { PartList } from "#web/courses/PartList.tsx";
import { launchAction } from "#web/courses/learner/launchAction.ts";
import { queryFor } from "#web/core/api/api.ts";
import { useSettledQueries } from "#web/core/api/useSettledQueries.ts";
import { AsideCard } from "#web/core/layout/AsideCard.tsx";
import { Cover } from "#web/core/brand/Cover.tsx";
import { formatDuration } from "#web/core/format/format.ts";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { TwoColumns } from "#web/core/layout/TwoColumns.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { OwnValues } from "#web/variables/ownValues/OwnValues.tsx";
import { ownValuesQuery } from "#web/variables/ownValues/ownValuesQuery.ts";
import { BotLinks } from "#web/conversations/BotLinks.tsx";
import { botLinksQuery } from "#web/conversations/botLinksQuery.ts";
import { courses } from "#shared/courses/courses.ts";

const OwnCompletion = lazy(() =>
  import("#web/courses/completion/OwnCompletion.tsx").then((module) => ({ default: module.OwnCompletion })),
);

/** The page of a course for its learner: description, progress and the launch button. */
export function MyCourse({ id }: { id: string }) {
  const { t } = useTranslation();
  const queries = [queryFor(courses.get, { params: { id } }), queryFor(courses.mine)] as const;
  useSettledQueries([
    ...queries,
    ownCompletionQuery(id),
    queryFor(courses.reasons, { params: { id }, query: {} }),
    ownValuesQuery(id),
    botLinksQuery(id),
  ]);
  const [{ data: course }, { data: list }] = useSuspenseQueries({ queries });
  const mine = list.items.find(({ courseId }) => courseId === id);
  const action = mine && launchAction(mine);
  const time = course.minutes ? formatDuration(course.minutes * 60) : null;
  const parts = course.parts > 1 ? t("courses.parts", { count: course.parts }) : null;
  const facts =
    parts && time
      ? t("courses.coursePage.partsAndTime", { parts, time })
      : (parts ?? (time && t("courses.mine.about", { time })));
  return (
    <>
      <PageHead
        title={course.title}
        line={facts}
        parent={{ to: "/my-courses", label: t("courses.mine.title") }}
        actions={
          mine &&
          action && (
            <Button
              component={Link}
              to={launchPath(mine, action === "again")}
              size="md"
              leftSection={<IconPlayerPlayFilled size={16} />}
            >
              {t(`courses.verbs.${action}`)}
            </Button>
          )
        }
      />
      <TwoColumns
        aside={
          <>
            <div className={classes.cover}>
              <Cover code={course.code} />
            </div>
            {mine && (
              <AsideCard title={t("courses.coursePage.standing")}>
                <div className={classes.standing}>
                  <EnrolmentStatus enrolment={mine} />
                  <CourseProgress course={mine} size={mine.parts > 12 ? "sm" : "md"} />
                  {mine.parts > 1 && (
                    <span className={classes.dim}>
                      {t("courses.mine.partsOf", {
                        done: mine.status === "completed" ? mine.parts : mine.partsDone,
                        count: mine.parts,
                      })}
                    </span>
                  )}
                  <span className={classes.dim}>
                    <CourseNote course={mine} />
                  </span>
                  {mine.lastActivityAt && (
                    <span className={classes.dim}>
                      {t("courses.coursePage.last")} <Time at={mine.lastActivityAt} />
                    </span>
                  )}
                </div>
              </AsideCard>
            )}
            {mine && (
              <div className={classes.why}>
                <AsideCard title={t("courses.why.title")}>
                  <WhyEnrolled courseId={id} />
                </AsideCard>
              </div>
            )}
            <CertificateCard courseId={id} />
          </>
        }
      >
        {mine && mine.status !== "assigned" && (
          <Suspense>
            <OwnCompletion courseId={id} />
          </Suspense>
        )}
        {course.summary && (
          <Section title={t("courses.coursePage.about")}>
            <p className={classes.summary}>{course.summary}</p>
          </Section>
        )}
        <Section title={t("courses.coursePage.parts")}>
          <PartList
            titles={course.partTitles}
            current={mine && mine.status !== "completed" ? mine.currentPart : null}
            done={mine ? partsDoneInOrder(mine) : 0}
          />
        </Section>
        <OwnValues courseId={id} />
        <BotLinks courseId={id} />
      </TwoColumns>
    </>
  );
}
