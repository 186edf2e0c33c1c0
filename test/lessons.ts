import { randomUUID } from "node:crypto";
import type pg from "pg";
import { createDb, createPool, type Db, inTransaction } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { createLog } from "#server/core/log.ts";
import { publishLessons } from "#server/lessons/publishing.ts";
import { type CompletionRule, defaultCompletionRule } from "#shared/courses/completionRules.ts";
import type { LessonBlock } from "#shared/lessons/blocks.ts";
import type { LessonCourse } from "#shared/lessons/lessonDocument.ts";
import type { Question, QuestionResponse } from "#shared/lessons/questions.ts";
import type { RichText } from "#shared/lessons/richText.ts";
import type { SessionEvent } from "#shared/player/player.ts";
import type { User } from "#shared/core/users.ts";

// Courses of lessons for tests: their documents, how they are published, and the events of their learners

let count = 0;
export const newId = (name: string) => `${name}-${String((count += 1)).padStart(6, "0")}`;
export const words = (text: string): RichText => ({ id: newId("text"), runs: [{ kind: "text", text }] });

type QuestionOptions = Partial<Pick<Question, "graded" | "points" | "tries" | "required">>;
const rules = (options: QuestionOptions) => ({
  graded: true,
  points: 1,
  tries: 2,
  required: true,
  feedback: { right: words("Well seen."), wrong: words("Look again.") },
  ...options,
});

/** A question with the ids of the right and of the wrong choice. */
export function choiceQuestion(text: string, options: QuestionOptions = {}) {
  const [id, right, wrong] = [newId("question"), newId("right"), newId("wrong")];
  const block: LessonBlock = {
    kind: "question",
    id,
    question: {
      kind: "single",
      text: words(text),
      ...rules(options),
      choices: [
        { id: wrong, text: words("A handrail"), isRight: false, feedback: words("It can tear off.") },
        { id: right, text: words("An anchor ring"), isRight: true, feedback: words("It carries 12 kN.") },
      ],
      shuffle: true,
    },
  };
  return { id, right, wrong, block };
}
export const paragraph = (text: string, more: Partial<LessonBlock> = {}): LessonBlock =>
  ({ kind: "paragraph", id: newId("block"), text: words(text), ...more }) as LessonBlock;

/** A course with one module; each lesson by its title and blocks. */
export const courseOf = (...lessons: { id: string; title: string; blocks: LessonBlock[] }[]): LessonCourse => ({
  modules: [
    {
      id: newId("module"),
      title: "",
      lessons: lessons.map(({ id, title, blocks }) => ({
        id,
        title,
        minutes: 5,
        document: { schema: 1, language: "en", blocks },
      })),
    },
  ],
});

type CourseOptions = { title?: string; rule?: CompletionRule };

/** Publishes lessons as the first version of a course, which is still a draft. Returns its id. */
export async function insertCourse(
  db: Db,
  user: User,
  course: LessonCourse,
  { title = "Lessons", rule = defaultCompletionRule("lessons") }: CourseOptions = {},
) {
  const id = randomUUID();
  await inTransaction(db, async (tx) => {
    await tx
      .insertInto("courses")
      .values({
        id,
        title,
        code: `L-${id.slice(0, 8)}`,
        kind: "lessons",
        completionRule: JSON.stringify(rule),
        updatedBy: user.id,
      })
      .execute();
    await publishLessons(tx, { db, user } as Ctx<User>, id, course, { makeLive: true });
  });
  return id;
}

/** The same on a server of its own. */
export async function insertCourseInto(
  connection: pg.ClientConfig,
  user: User,
  course: LessonCourse,
  options?: CourseOptions,
) {
  const pool = createPool(connection as never, createLog("error"), { max: 2 });
  try {
    return await insertCourse(createDb(pool), user, course, options);
  } finally {
    await pool.end();
  }
}

/** Numbered events of one part, from `first` on. */
export const lessonEvents = (
  sco: string,
  list: { type: SessionEvent["type"]; key?: string; value?: unknown }[],
  first = 1,
): SessionEvent[] =>
  list.map(({ type, key, value }, index) => ({
    seq: first + index,
    t: (first + index) * 10,
    type,
    sco,
    ...(key !== undefined && { key }),
    ...(value !== undefined && { value: JSON.stringify(value) }),
  }));
export const answerEvent = (key: string, response: QuestionResponse) => ({
  type: "block.answer" as const,
  key,
  value: { response, ms: 4000 },
});
export const choose = (...chosen: string[]): QuestionResponse => ({ kind: "choices", chosen });
