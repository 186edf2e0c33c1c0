import { lazy, Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/player/Player.module.css";
import type { Launch } from "#shared/player/player.ts";

const Chat = lazy(() => import("#web/conversations/Chat.tsx").then(({ Chat }) => ({ default: Chat })));

type Props = { launch: Launch; chatbotId: string; onClose: () => void };

/** A chatbot next to the course, linked to the running session. */
export function CourseChat({ launch, chatbotId, onClose }: Props) {
  const { t } = useTranslation();
  useEffect(() => {
    const closeOnEscape = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === "Escape" && !defaultPrevented) onClose();
    };
    addEventListener("keydown", closeOnEscape);
    return () => removeEventListener("keydown", closeOnEscape);
  }, [onClose]);
  return (
    <aside className={classes.chat} aria-label={t("player.chatLabel")}>
      <Suspense>
        <Chat
          key={chatbotId}
          chatbotId={chatbotId}
          courseId={launch.course.id}
          channel="course"
          sessionId={launch.sessionId}
          onClose={onClose}
        />
      </Suspense>
    </aside>
  );
}
