import { createContext, type ReactNode, useContext } from "react";
import type { OpenLesson } from "#web/lessons/learner/lessonBook.ts";
import type { Facts } from "#shared/conditions/evaluate.ts";
import type { SessionEvent } from "#shared/player/player.ts";

/** What blocks need of the player around them. */
export type LessonTools = {
  lesson: OpenLesson;
  facts: Facts;
  /** Folder of the files of the lesson. */
  media: string;
  /** The files are beside the page, which may have no origin: opened from a disk. */
  isBeside: boolean;
  record: (event: Pick<SessionEvent, "type" | "key" | "value">, isUrgent?: boolean) => void;
  /** Reads the lesson from the server again. */
  refresh: () => void;
  /** The last commit did not reach the server. */
  isOffline: boolean;
  learner: string;
  /** The lessons of the course. */
  lessons: { id: string; title: string }[];
  openLesson: (id: string) => void;
  bots: { id: string; name: string }[];
  openChat: (chatbotId: string | null) => void;
  runPrompt: (key: string) => Promise<{ text: string; hasFailed: boolean }>;
  /** The lesson is shown as it was: nothing can be answered. */
  readOnly: boolean;
  /** The lesson is shown as it was at a time that changes: blocks keep nothing of their own. */
  isReplayed: boolean;
  /** Once the course is completed: its certificate, if it has one. */
  completed: { certificate: ReactNode } | null;
};

const LessonContext = createContext<LessonTools | null>(null);
export const LessonProvider = LessonContext.Provider;

export function useLesson(): LessonTools {
  const tools = useContext(LessonContext);
  if (!tools) throw new Error("a block outside of a lesson");
  return tools;
}
