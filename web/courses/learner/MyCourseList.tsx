import { useSuspenseQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { CourseCards } from "#web/courses/learner/CourseCards.tsx";
import { queryFor } from "#web/core/api/api.ts";
import { useSettledQueries } from "#web/core/api/useSettledQueries.ts";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { courses } from "#shared/courses/courses.ts";
import { paths } from "#shared/paths/paths.ts";

/** `/courses` for learners: their own courses. */
export function MyCourseList() {
  const { t } = useTranslation();
  useSettledQueries([queryFor(courses.mine), queryFor(paths.mine)]);
  const { data } = useSuspenseQuery(queryFor(courses.mine));
  return (
    <>
      <PageHead title={t("courses.title")} line={t("courses.mine.lead")} />
      {data.items.length === 0 ? (
        <EmptyState
          title={t("courses.mine.none")}
          text={t("courses.mine.noneText")}
          hint={t("courses.mine.noneHint")}
        />
      ) : (
        <CourseCards title={t("courses.mine.yours")} courses={data.items} />
      )}
    </>
  );
}
