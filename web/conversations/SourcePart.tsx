import { Button } from "@mantine/core";
import { useContext } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { OpenCourse } from "#web/conversations/openCourse.ts";
import { useSession } from "#web/core/session/session.tsx";
import { launchPath } from "#web/core/format/launchPath.ts";
import type { TurnSource } from "#shared/conversations/conversations.ts";

type Props = { part: NonNullable<TurnSource["part"]>; onOpened: () => void };

/** Opens the part of a course that a passage is from: beside the chat, or by launching the course. */
export function SourcePart({ part: { courseId, sco }, onOpened }: Props) {
  const { t } = useTranslation();
  const course = useContext(OpenCourse);
  const { user } = useSession();
  const open = () => {
    course?.openPart(sco);
    onOpened();
  };
  if (course?.id === courseId)
    return (
      <Button variant="default" size="sm" onClick={open}>
        {t("chat.sources.openPart")}
      </Button>
    );
  if (!user?.companyId) return null;
  const path = launchPath({ companyId: user.companyId, courseId });
  return (
    <Button variant="default" size="sm" component={Link} to={`${path}?${new URLSearchParams({ part: sco })}`}>
      {t("chat.sources.openPart")}
    </Button>
  );
}
