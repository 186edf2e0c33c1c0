import { useMemo, useSyncExternalStore } from "react";
import type { LessonTools } from "#web/lessons/learner/lessonContext.ts";
import { answerPrompt } from "#web/player/answerPrompt.ts";
import type { LessonView } from "#web/player/session/lessonSession.ts";
import type { Launch } from "#shared/player/player.ts";

function watchNetwork(onChange: () => void) {
  addEventListener("online", onChange);
  addEventListener("offline", onChange);
  return () => {
    removeEventListener("online", onChange);
    removeEventListener("offline", onChange);
  };
}

type Actions = Pick<LessonTools, "record" | "refresh" | "openLesson" | "bots" | "openChat" | "completed">;

/** What the blocks of the open lesson need; null while it is loading. */
export function useLessonTools(launch: Launch, { lesson, facts, save }: LessonView, actions: Actions) {
  const lessons = useMemo(
    () => launch.parts.flatMap(({ sco, title, href }) => (href === null ? [] : [{ id: sco, title }])),
    [launch.parts],
  );
  const { status } = save;
  const isOnline = useSyncExternalStore(watchNetwork, () => navigator.onLine);
  const tools: LessonTools | null = lesson && {
    ...actions,
    lesson,
    facts,
    lessons,
    media: launch.lessons?.media ?? "",
    isBeside: false,
    learner: launch.learner.name,
    isOffline: status === "retrying" || !isOnline,
    runPrompt: async (key) => {
      const { answer, message } = await answerPrompt(launch, { type: "prompt", call: 0, key, input: "" });
      return { text: answer?.text ?? message, hasFailed: !answer?.isAnswered };
    },
    readOnly: status === "elsewhere" || status === "ended",
    isReplayed: false,
  };
  return tools;
}
