import type { Editor } from "@tiptap/core";
import { useEffect, useState } from "react";
import { estimateMinutes } from "#shared/lessons/blockTexts.ts";
import type { DraftProblem } from "#shared/lessons/drafts.ts";
import type { NodeJson } from "#shared/lessons/editing/nodeJson.ts";
import { nodesToDocument } from "#shared/lessons/editing/nodesToDocument.ts";
import { checkLesson } from "#shared/lessons/lessonChecks.ts";
import { writtenBy } from "#shared/lessons/variablesOf.ts";
import type { QuizSettings } from "#shared/lessons/quiz.ts";
import { findProblems } from "#shared/lessons/lessonProblems.ts";

/** Reading a long lesson on every letter would slow down typing, in ms. */
const PAUSE_MS = 600;
/** A question of the open lesson, by which quizzes count. */
export type QuestionFact = { id: string; pool?: string | undefined; points: number };
export type LessonFacts = { minutes: number; problems: DraftProblem[]; questions: QuestionFact[] };

/** Minutes and problems of the open lesson, shortly after its last change. */
export function useLessonFacts(
  editor: Editor | null,
  lessonId: string,
  language: string,
  variables: readonly string[],
  quiz: QuizSettings | undefined,
) {
  const [facts, setFacts] = useState<LessonFacts | null>(null);
  useEffect(() => {
    if (!editor) return setFacts(null);
    const read = () => {
      const lesson = nodesToDocument(editor.getJSON() as NodeJson, language);
      const { blocks } = lesson.document;
      const known = new Set([...variables, ...blocks.flatMap(writtenBy)]);
      const part = { id: lessonId, title: "-", minutes: null, document: lesson.document };
      const answers = findProblems({ modules: [{ id: "module", title: "", lessons: [part] }] })
        .filter(({ code }) => ["noRightAnswer", "severalRightAnswers", "noGap"].includes(code))
        .map(({ blockId, code }): DraftProblem => ({
          code: code === "severalRightAnswers" ? code : "noRightAnswer",
          lessonId,
          blockId,
          blocks: true,
          about: "",
          node: "question",
        }));
      setFacts({
        minutes: estimateMinutes(blocks),
        problems: [...answers, ...checkLesson({ id: lessonId, quiz, ...lesson }, known)],
        questions: blocks.flatMap((block) =>
          block.kind === "question" ? [{ id: block.id, pool: block.pool, points: block.question.points }] : [],
        ),
      });
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(read, PAUSE_MS);
    };
    read();
    editor.on("update", later);
    return () => {
      clearTimeout(timer);
      editor.off("update", later);
    };
  }, [editor, lessonId, language, variables, quiz]);
  return facts;
}
