import { z } from "zod";
import { MAX_LESSONS } from "#shared/lessons/lessonDocument.ts";
import { MAX_POOLS, newQuizSettings, quizPool, quizSettings } from "#shared/lessons/quiz.ts";

// The table of contents of a draft, and its changes. A change names what it moves by id, so that changes of two authors
// both happen.

const MAX_MODULES = 50;
const place = z.int().min(0).max(10_000);
const title = z.string().trim().min(1).max(200);
const minutes = z.int().min(1).max(600).nullable();
/** A module without a title groups nothing. */
const moduleTitle = z.string().trim().max(200);

/** `packageId`: a package stands here instead of a text. `quiz`: the settings of a lesson that is one. */
export const draftLesson = z.object({
  id: z.uuid(),
  title,
  minutes,
  packageId: z.uuid().optional(),
  quiz: quizSettings.optional(),
});
export type DraftLesson = z.infer<typeof draftLesson>;
export const draftModule = z.object({ id: z.uuid(), title: moduleTitle, lessons: z.array(draftLesson) });
export const outline = z.object({ modules: z.array(draftModule) });
export type Outline = z.infer<typeof outline>;

export const outlineChange = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("addModule"), id: z.uuid(), title: moduleTitle, at: place }),
  z.object({ kind: z.literal("renameModule"), id: z.uuid(), title: moduleTitle }),
  /** A copy of module `of` after it, with a copy of each of its lessons that is named. */
  z.object({
    kind: z.literal("copyModule"),
    id: z.uuid(),
    of: z.uuid(),
    title: moduleTitle,
    lessons: z.array(z.object({ id: z.uuid(), of: z.uuid() })).max(MAX_LESSONS),
  }),
  z.object({ kind: z.literal("moveModule"), id: z.uuid(), at: place }),
  z.object({ kind: z.literal("removeModule"), id: z.uuid() }),
  z.object({ kind: z.literal("addLesson"), id: z.uuid(), title, moduleId: z.uuid(), at: place }),
  z.object({
    kind: z.literal("addPackage"),
    id: z.uuid(),
    title,
    moduleId: z.uuid(),
    at: place,
    packageId: z.uuid(),
  }),
  /** Another package in the same place: what learners have done in parts that it still has stays. */
  z.object({ kind: z.literal("replacePackage"), id: z.uuid(), packageId: z.uuid() }),
  /** A copy of lesson `of` with ids of its own. */
  z.object({ kind: z.literal("copyLesson"), id: z.uuid(), of: z.uuid(), title }),
  z.object({ kind: z.literal("changeLesson"), id: z.uuid(), title: title.optional(), minutes: minutes.optional() }),
  /** Makes a lesson a quiz, or changes the settings that are named; null: it is none any more. */
  z.object({
    kind: z.literal("changeQuiz"),
    id: z.uuid(),
    settings: quizSettings.omit({ pools: true }).partial().nullable(),
  }),
  /** Adds a pool, or changes the one with its key. */
  z.object({ kind: z.literal("setPool"), id: z.uuid(), pool: quizPool }),
  z.object({ kind: z.literal("removePool"), id: z.uuid(), key: quizPool.shape.key }),
  z.object({ kind: z.literal("moveLesson"), id: z.uuid(), moduleId: z.uuid(), at: place }),
  z.object({ kind: z.literal("removeLesson"), id: z.uuid() }),
  /** Brings a removed lesson or module back, with its text. */
  z.object({ kind: z.literal("restoreLesson"), lesson: draftLesson, moduleId: z.uuid(), at: place }),
  z.object({
    kind: z.literal("restoreModule"),
    module: draftModule.extend({ lessons: z.array(draftLesson).max(MAX_LESSONS) }),
    at: place,
  }),
]);
export type OutlineChange = z.infer<typeof outlineChange>;

export const lessonsOf = ({ modules }: Outline) => modules.flatMap(({ lessons }) => lessons);

/** Why a change is refused: what it names is gone, is there already, or there would be too many. */
export type OutlineProblem = "missing" | "exists" | "tooMany" | "last";

const insert = <T>(list: T[], at: number, ...added: T[]) => list.toSpliced(Math.min(at, list.length), 0, ...added);

/** The outline after a change, or why it is refused. */
export function changeOutline(before: Outline, change: OutlineChange): Outline | OutlineProblem {
  const after = applyChange(before, change);
  if (typeof after === "string") return after;
  const ids = [...after.modules.map(({ id }) => id), ...lessonsOf(after).map(({ id }) => id)];
  if (new Set(ids).size < ids.length) return "exists";
  return isWithinLimits(after) ? after : "tooMany";
}

export const isWithinLimits = (outline: Outline) =>
  outline.modules.length <= MAX_MODULES && lessonsOf(outline).length <= MAX_LESSONS;

function applyChange({ modules }: Outline, change: OutlineChange): Outline | OutlineProblem {
  switch (change.kind) {
    case "addModule":
      return { modules: insert(modules, change.at, { id: change.id, title: change.title, lessons: [] }) };
    case "restoreModule":
      return { modules: insert(modules, change.at, change.module) };
    case "copyModule":
      return copyModule(modules, change);
    case "renameModule":
    case "moveModule":
    case "removeModule":
      return changeModule(modules, change);
    case "addLesson": {
      const lesson = { id: change.id, title: change.title, minutes: null };
      return insertLesson(modules, change.moduleId, change.at, lesson);
    }
    case "addPackage": {
      const { id, title: name, packageId } = change;
      return insertLesson(modules, change.moduleId, change.at, { id, title: name, minutes: null, packageId });
    }
    case "restoreLesson":
      return insertLesson(modules, change.moduleId, change.at, change.lesson);
    case "changeQuiz":
    case "setPool":
    case "removePool":
      return changeQuiz(modules, change);
    case "copyLesson":
    case "changeLesson":
    case "moveLesson":
    case "removeLesson":
    case "replacePackage":
      return changeLesson(modules, change);
  }
}

type Modules = Outline["modules"];
type ModuleChange = Extract<OutlineChange, { kind: "renameModule" | "moveModule" | "removeModule" }>;
type LessonChange = Extract<
  OutlineChange,
  { kind: "copyLesson" | "changeLesson" | "moveLesson" | "removeLesson" | "replacePackage" }
>;

function changeModule(modules: Modules, change: ModuleChange): Outline | OutlineProblem {
  const found = modules.find(({ id }) => id === change.id);
  if (!found) return "missing";
  const others = modules.filter((one) => one !== found);
  if (change.kind === "moveModule") return { modules: insert(others, change.at, found) };
  if (change.kind === "removeModule") return others.length > 0 ? { modules: others } : "last";
  return { modules: modules.map((one) => (one === found ? { ...one, title: change.title } : one)) };
}

function copyModule(modules: Modules, change: Extract<OutlineChange, { kind: "copyModule" }>) {
  const found = modules.find(({ id }) => id === change.of);
  if (!found) return "missing" as const;
  const idOf = new Map(change.lessons.map(({ id, of }) => [of, id]));
  const lessons = found.lessons.flatMap((lesson) => {
    const id = idOf.get(lesson.id);
    return id ? [{ ...lesson, id }] : [];
  });
  return { modules: insert(modules, modules.indexOf(found) + 1, { id: change.id, title: change.title, lessons }) };
}

function changeLesson(modules: Modules, change: LessonChange): Outline | OutlineProblem {
  const id = change.kind === "copyLesson" ? change.of : change.id;
  const home = modules.find(({ lessons }) => lessons.some((lesson) => lesson.id === id));
  const found = home?.lessons.find((lesson) => lesson.id === id);
  if (!home || !found) return "missing";
  const inHome = (lessons: DraftLesson[]) => modules.map((one) => (one === home ? { ...one, lessons } : one));
  if (change.kind === "copyLesson") {
    const copy = { ...found, id: change.id, title: change.title };
    return { modules: inHome(insert(home.lessons, home.lessons.indexOf(found) + 1, copy)) };
  }
  const withChanged = (changed: DraftLesson) => inHome(home.lessons.map((one) => (one === found ? changed : one)));
  if (change.kind === "replacePackage")
    return found.packageId ? { modules: withChanged({ ...found, packageId: change.packageId }) } : "missing";
  if (change.kind === "changeLesson") {
    const { title: newTitle = found.title, minutes: newMinutes = found.minutes } = change;
    return { modules: withChanged({ ...found, title: newTitle, minutes: newMinutes }) };
  }
  const without = inHome(home.lessons.filter((one) => one !== found));
  return change.kind === "removeLesson"
    ? { modules: without }
    : insertLesson(without, change.moduleId, change.at, found);
}

type QuizChange = Extract<OutlineChange, { kind: "changeQuiz" | "setPool" | "removePool" }>;

function changeQuiz(modules: Modules, change: QuizChange): Outline | OutlineProblem {
  const found = lessonsOf({ modules }).find(({ id }) => id === change.id);
  if (!found || found.packageId !== undefined) return "missing";
  if (change.kind !== "changeQuiz" && !found.quiz) return "missing";
  const { quiz: before = newQuizSettings(), ...rest } = found;
  const changed = (): DraftLesson => {
    if (change.kind === "changeQuiz")
      return change.settings ? { ...rest, quiz: { ...before, ...withoutUndefined(change.settings) } } : rest;
    if (change.kind === "removePool")
      return { ...rest, quiz: { ...before, pools: before.pools.filter(({ key }) => key !== change.key) } };
    const isKnown = before.pools.some(({ key }) => key === change.pool.key);
    const pools = before.pools.map((pool) => (pool.key === change.pool.key ? change.pool : pool));
    return { ...rest, quiz: { ...before, pools: isKnown ? pools : [...pools, change.pool] } };
  };
  const after = changed();
  if ((after.quiz?.pools.length ?? 0) > MAX_POOLS) return "tooMany";
  return {
    modules: modules.map((one) => ({
      ...one,
      lessons: one.lessons.map((lesson) => (lesson === found ? after : lesson)),
    })),
  };
}

/** What is not named stays. */
const withoutUndefined = <T extends object>(settings: T) =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

function insertLesson(modules: Modules, moduleId: string, at: number, lesson: DraftLesson): Outline | OutlineProblem {
  if (!modules.some(({ id }) => id === moduleId)) return "missing";
  return {
    modules: modules.map((one) => (one.id === moduleId ? { ...one, lessons: insert(one.lessons, at, lesson) } : one)),
  };
}
