import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useContext } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { OpenCourse } from "#web/conversations/openCourse.ts";
import { queryFor } from "#web/core/api/api.ts";
import { useSession } from "#web/core/session/session.tsx";
import { launchPath } from "#web/core/format/launchPath.ts";
import { courses } from "#shared/courses/courses.ts";
import type { TurnSource } from "#shared/conversations/conversations.ts";

type Props = { part: NonNullable<TurnSource["part"]>; onOpened: () => void };

/**
 * Opens the part of a course that a passage is from: beside the chat, or by launching the course. Renders nothing for
 * people without the course.
 */
export function SourcePart({ part: { courseId, sco }, onOpened }: Props) {
  const { t } = useTranslation();
  const course = useContext(OpenCourse);
  const { user } = useSession();
  const isBeside = course?.id === courseId;
  const { data } = useQuery({ ...queryFor(courses.mine), enabled: !isBeside && user?.role === "learner" });
  const open = () => {
    course?.openPart(sco);
    onOpened();
  };
  if (isBeside)
    return (
      <Button variant="default" size="sm" onClick={open}>
        {t("chat.sources.openPart")}
      </Button>
    );
  const assigned = data?.items.find((one) => one.courseId === courseId);
  if (!assigned) return null;
  const path = launchPath(assigned);
  return (
    <Button variant="default" size="sm" component={Link} to={`${path}?${new URLSearchParams({ part: sco })}`}>
      {t("chat.sources.openPart")}
    </Button>
  );
}
