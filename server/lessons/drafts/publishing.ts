import { createHash } from "node:crypto";
import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { type Db, inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict } from "#server/core/http/problem.ts";
import { announceChange } from "#server/core/live/announcements.ts";
import { carryWriters } from "#server/lessons/drafts/blockAuthors.ts";
import { storeOwnIds, withIdsOfCourse } from "#server/lessons/drafts/ownIds.ts";
import { findDraft } from "#server/lessons/drafts/service.ts";
import { listPackagesOf } from "#server/courses/packageFolders.ts";
import { readDrafts } from "#server/lessons/drafts/updates.ts";
import { publishLessons } from "#server/lessons/publishing.ts";
import { estimateMinutes } from "#shared/lessons/blockTexts.ts";
import type { DraftProblem, DraftReview } from "#shared/lessons/drafts.ts";
import { nodesToDocument, type ReadLesson } from "#shared/lessons/editing/nodesToDocument.ts";
import { checkLesson } from "#shared/lessons/lessonChecks.ts";
import { writtenBy } from "#shared/lessons/variablesOf.ts";
import { findProblems, type LessonProblem } from "#shared/lessons/lessonProblems.ts";
import { sortedJson, walkObjects } from "#shared/lessons/walk.ts";
import { packagedSco } from "#shared/player/player.ts";
import type { LessonCourse, LessonDocument } from "#shared/lessons/lessonDocument.ts";
import { type DraftLesson, lessonsOf, type Outline } from "#shared/lessons/outline.ts";
import type { User } from "#shared/core/users.ts";

type DerivedLesson = DraftLesson & (ReadLesson | { document: null });
type Derived = {
  outline: Outline;
  language: string;
  lessons: Map<string, DerivedLesson>;
  liveVersionId: string | null;
};

/** The lessons that a draft holds now. */
async function deriveCourse(db: Db, courseId: string): Promise<Derived> {
  const { outline, language, liveVersionId } = await findDraft(db, courseId);
  const list = lessonsOf(outline).filter(({ packageId }) => packageId === undefined);
  const stored = await readDrafts(
    db,
    list.map(({ id }) => id),
  );
  const nodes = withIdsOfCourse(stored);
  const lessons = new Map<string, DerivedLesson>();
  for (const lesson of list) {
    const read = nodes.get(lesson.id)?.node;
    lessons.set(lesson.id, { ...lesson, ...(read ? nodesToDocument(read, language) : { document: null }) });
  }
  return { outline, language, lessons, liveVersionId };
}

/** The course as it would be published; lessons that cannot be read are left out. */
function toCourse({ outline, lessons }: Derived): LessonCourse {
  return withOwnIds({
    modules: outline.modules.map(({ id, title, lessons: list }) => ({
      id,
      title,
      lessons: list.flatMap((entry): LessonCourse["modules"][number]["lessons"] => {
        const { id: lessonId, packageId } = entry;
        if (packageId !== undefined) return [{ ...entry, packageId }];
        const lesson = lessons.get(lessonId);
        if (!lesson?.document) return [];
        const { title: name, minutes, quiz } = lesson;
        const document = { ...lesson.document, ...(quiz && { quiz }) };
        return [{ id: lessonId, title: name, minutes: minutes ?? estimateMinutes(document.blocks), document }];
      }),
    })),
  });
}

/** Also what has no id in the draft gets one of its own. */
export function withOwnIds<T>(value: T): T {
  const ids = new Set<string>();
  walkObjects(value, (object) => {
    const { id } = object;
    if (typeof id !== "string") return;
    for (let n = 2; ids.has(String(object["id"])); n++) object["id"] = `${id.slice(0, 58)}-${n}`;
    ids.add(String(object["id"]));
  });
  return value;
}

async function checkDraft(db: Db, derived: Derived): Promise<DraftProblem[]> {
  const { lessons } = derived;
  const defined = await db.selectFrom("variables").select("key").execute();
  const written = [...lessons.values()].flatMap(({ document }) => document?.blocks.flatMap(writtenBy) ?? []);
  const known = new Set([...defined.map(({ key }) => key), ...written]);
  return [
    ...[...lessons.values()].flatMap((lesson) => checkLesson(lesson, known)),
    ...findProblems(toCourse(derived)).flatMap(stoppingProblem),
  ];
}

/** What publishing refuses. A course without lessons is refused by itself. */
function stoppingProblem({ code, lessonId, blockId }: LessonProblem): DraftProblem[] {
  // What is wrong with quizzes and scenarios is named by `checkLesson`.
  if (!lessonId || code === "noLessons" || code === "quiz" || code === "noEnding") return [];
  const isAnswer = code === "noRightAnswer" || code === "noGap";
  const problem = { lessonId, blockId, blocks: true, about: "", node: "" };
  if (isAnswer) return [{ ...problem, code: "noRightAnswer", node: "question" }];
  if (code === "severalRightAnswers") return [{ ...problem, code, node: "question" }];
  return [{ ...problem, code: code === "circularCondition" ? "circular" : "broken" }];
}

const MAX_PROBLEMS = 500;

export async function reviewDraft({ db }: Ctx<User>, courseId: string): Promise<DraftReview> {
  const derived = await deriveCourse(db, courseId);
  const before = derived.liveVersionId ? await readPublished(db, derived.liveVersionId) : new Map<string, Published>();
  const now = toCourse(derived).modules.flatMap(({ lessons }) => lessons);
  const nameOf = ({ id, title }: { id: string; title: string }) => ({ id, title });
  const kept = now.filter(({ id }) => before.has(id));
  const isChanged = (entry: (typeof now)[number]) =>
    before.get(entry.id)?.title !== entry.title ||
    before.get(entry.id)?.sum !== ("packageId" in entry ? entry.packageId : sumOf(entry.document));
  const present = new Set(now.map(({ id }) => id));
  return {
    problems: (await checkDraft(db, derived)).slice(0, MAX_PROBLEMS),
    added: now.filter(({ id }) => !before.has(id)).map(nameOf),
    removed: [...before].filter(([id]) => !present.has(id)).map(([id, { title }]) => ({ id, title })),
    changed: kept.filter(isChanged).map(nameOf),
    unchanged: kept.filter((lesson) => !isChanged(lesson)).length,
  };
}

/** `sum`: of the text of a lesson, or the id of its package. */
type Published = { title: string; sum: string };

async function readPublished(db: Db, versionId: string) {
  const version = await db
    .selectFrom("courseVersions")
    .where("id", "=", versionId)
    .select("parts")
    .executeTakeFirstOrThrow();
  // The part of a package may have the id of its lesson before its own.
  const titleOf = (entry: string) =>
    version.parts.find(({ sco }) => sco === entry || sco.startsWith(packagedSco(entry, "")))?.title ?? "";
  const packages = await listPackagesOf(db, versionId);
  const rows = await db
    .selectFrom("lessonContents")
    .where("versionId", "=", versionId)
    .select(["sco", "document"])
    .execute();
  return new Map<string, Published>([
    ...rows.map(({ sco, document }) => [sco, { title: titleOf(sco), sum: sumOf(document) }] as const),
    ...packages.map(({ entry, id }) => [entry, { title: titleOf(entry), sum: id }] as const),
  ]);
}

const sumOf = (document: LessonDocument) => createHash("sha256").update(sortedJson(document)).digest("hex");

/** Publishes the draft as a version that new attempts use; people in progress stay on theirs. */
export async function publishDraft(ctx: Ctx<User>, courseId: string) {
  await storeOwnIds(ctx, courseId);
  const { now } = await ctx.db.selectNoFrom(sql<string>`now()`.as("now")).executeTakeFirstOrThrow();
  const derived = await deriveCourse(ctx.db, courseId);
  const stopping = (await checkDraft(ctx.db, derived)).filter(({ blocks }) => blocks);
  if (stopping.length > 0) throw conflict("lessonDrafts.notReady", undefined, { count: stopping.length });
  const course = toCourse(derived);
  if (course.modules.every(({ lessons }) => lessons.length === 0)) throw conflict("lessonDrafts.noLessons");
  return inTransaction(ctx.db, async (tx) => {
    const published = await publishLessons(tx, ctx, courseId, course, { makeLive: true });
    await carryWriters(tx, courseId, published.number, now);
    await openCourse(tx, ctx, courseId);
    await announceChange(tx, { domain: "lessonDrafts" });
    return published;
  });
}

/** The first version publishes the course too: it is written to be taken. */
async function openCourse(tx: Tx, ctx: Ctx<User>, courseId: string) {
  const opened = await tx
    .updateTable("courses")
    .set({ status: "published" })
    .where("id", "=", courseId)
    .where("status", "=", "draft")
    .returning("id")
    .executeTakeFirst();
  if (opened) await record(tx, ctx, { action: "courses.status", courseId, details: { to: "published" } });
}

export const previewCourse = async (db: Db, courseId: string) => toCourse(await deriveCourse(db, courseId));
