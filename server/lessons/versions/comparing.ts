import type { Db } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import { findDraft } from "#server/lessons/drafts/service.ts";
import { compareBlocks, compareEntries, hasOtherAnswer, isSame, pair } from "#server/lessons/versions/compareBlocks.ts";
import { addWriters } from "#server/lessons/versions/blockWriters.ts";
import type { Entry } from "#server/lessons/versions/entries.ts";
import { type CourseSide, openSide, readTogether, type SideLesson } from "#server/lessons/versions/sides.ts";
import { createWordComparer, type WordComparer } from "#server/lessons/versions/words.ts";
import type { User } from "#shared/core/users.ts";
import type { LessonBlock } from "#shared/lessons/blocks.ts";
import { type DraftLesson, lessonsOf, type Outline } from "#shared/lessons/outline.ts";
import { plainText } from "#shared/lessons/richText.ts";
import type { Comparison, LessonChange, LessonComparison, Side } from "#shared/lessons/versions/versions.ts";
import { sortedJson } from "#shared/lessons/walk.ts";

type Sides = { from: Side; to: Side };

async function openBoth(db: Db, courseId: string, { from, to }: Sides): Promise<[CourseSide, CourseSide]> {
  return [await openSide(db, courseId, from), await openSide(db, courseId, to)];
}

/** Which lessons and modules differ, with the number of blocks. */
export async function compareVersions(db: Db, courseId: string, asked: Sides): Promise<Comparison> {
  const { language, version } = await findDraft(db, courseId);
  const sides = await openBoth(db, courseId, asked);
  const [from, to] = sides;
  const placed = pair(placedLessons(from.outline), placedLessons(to.outline));
  const lessons = new Map(
    placed.map(({ before, after, isMoved }): [string, LessonChange] => {
      const { id, packageId } = (after ?? before)!;
      const isElsewhere = before !== null && after !== null && before.home !== after.home;
      const isOtherPackage = before?.packageId !== after?.packageId || before?.title !== after?.title;
      return [
        id,
        {
          id,
          titles: { from: before?.title ?? null, to: after?.title ?? null },
          state: stateOf(before, after, isOtherPackage),
          isMoved: isMoved || isElsewhere,
          isPackage: packageId !== undefined,
          unreadable: [],
          updates: null,
          ...noBlocks(),
        },
      ];
    }),
  );
  const ids = [...lessons.values()].filter(({ isPackage }) => !isPackage).map(({ id }) => id);
  await readTogether(sides, ids, (id, before, after) => {
    const lesson = lessons.get(id)!;
    lesson.updates = after?.updates ?? before?.updates ?? null;
    if (before && !before.document) lesson.unreadable.push("from");
    if (after && !after.document) lesson.unreadable.push("to");
    if (!before?.document || !after?.document) return;
    if (sortedJson(before.document) === sortedJson(after.document)) return;
    lesson.state = "changed";
    Object.assign(lesson, countBlocks(before.document.blocks, after.document.blocks));
  });
  return { language, outlineVersion: version, lessons: [...lessons.values()], modules: compareModules(from, to) };
}

function stateOf(before: unknown, after: unknown, isChanged: boolean): LessonChange["state"] {
  if (!before) return "added";
  if (!after) return "removed";
  return isChanged ? "changed" : "same";
}

const noBlocks = () => ({ added: 0, removed: 0, changed: 0, moved: 0, answers: 0 });

/** `home`: the module with a title that a lesson is in. */
const placedLessons = ({ modules }: Outline): (DraftLesson & { home: string })[] =>
  modules.flatMap(({ id, title, lessons }) =>
    lessons.map((lesson) => ({ ...lesson, home: title.trim() === "" ? "" : id })),
  );

function countBlocks(before: LessonBlock[], after: LessonBlock[]) {
  const counts = noBlocks();
  for (const { before: was, after: is, isMoved } of pair(before, after)) {
    if (isMoved) counts.moved += 1;
    if (!was) counts.added += 1;
    else if (!is) counts.removed += 1;
    else if (!isSame(was, is)) {
      counts.changed += 1;
      if (hasOtherAnswer(was, is)) counts.answers += 1;
    }
  }
  return counts;
}

function compareModules(from: CourseSide, to: CourseSide): Comparison["modules"] {
  const titled = ({ outline }: CourseSide) => outline.modules.filter(({ title }) => title.trim() !== "");
  return pair(titled(from), titled(to)).flatMap(({ before, after, isMoved }) => {
    const state = stateOf(before, after, before?.title !== after?.title);
    if (state === "same" && !isMoved) return [];
    return [{ title: (after ?? before)!.title, before: before?.title ?? null, state, isMoved }];
  });
}

/** One lesson, block by block. */
export async function compareLesson(
  { db, user }: Ctx<User>,
  courseId: string,
  { lesson: id, ...asked }: Sides & { lesson?: string | undefined },
): Promise<LessonComparison> {
  const { language } = await findDraft(db, courseId);
  if (id === undefined) throw notFound();
  const sides = await openBoth(db, courseId, asked);
  const [was, is] = sides.map(({ outline }) => lessonsOf(outline).find((one) => one.id === id) ?? null);
  if (!was && !is) throw notFound();
  const [from, to] = sides;
  const before = (await from.read([id])).get(id);
  const after = (await to.read([id])).get(id);
  const titles = new Map(sides.flatMap(({ outline }) => lessonsOf(outline)).map((one) => [one.id, one.title]));
  const compare = createWordComparer(language);
  const isPackage = (is ?? was)!.packageId !== undefined;
  const unreadable: LessonComparison["unreadable"] = [];
  if (was && !isPackage && !before?.document) unreadable.push("from");
  if (is && !isPackage && !after?.document) unreadable.push("to");
  const oldBlocks = before?.document?.blocks ?? [];
  const newBlocks = after?.document?.blocks ?? [];
  const blocks =
    unreadable.length > 0
      ? []
      : await compareBlocks(oldBlocks, newBlocks, { titles, unfinished: new Set(after?.unfinished), compare });
  return {
    titles: { from: was?.title ?? null, to: is?.title ?? null },
    updates: after?.updates ?? before?.updates ?? null,
    unreadable,
    isPackage,
    settings: was && is ? compareSettings(settingsOf(was, before), settingsOf(is, after), compare) : [],
    blocks: await addWriters(db, user, { lessonId: id, side: to, shown: newBlocks, blocks }),
    names: namesFor([...oldBlocks, ...newBlocks]),
  };
}

/** Where a lesson has become a quiz, or is none any more, its settings are not all named. */
function compareSettings(before: Entry[], after: Entry[], compare: WordComparer) {
  const changes = compareEntries(before, after, compare);
  if (!changes.some(({ field }) => field === "isQuiz")) return changes;
  return changes.filter(({ field }) => field === "isQuiz" || field === "lessonTitle");
}

/** Title, package, and what a quiz asks. */
function settingsOf(lesson: DraftLesson, side: SideLesson | undefined): Entry[] {
  const { pools = [], ...quiz } = side?.document?.quiz ?? {};
  const values: Record<string, unknown> = { ...quiz };
  const entry = (field: string, value: unknown): Entry => ({
    key: field,
    field,
    sum: JSON.stringify(value) ?? "",
    value: value as Entry["value"],
    isText: false,
  });
  return [
    { ...entry("lessonTitle", lesson.title), isText: true },
    ...(lesson.packageId
      ? [{ ...entry("package", lesson.packageId), value: null }]
      : [entry("isQuiz", side?.document?.quiz !== undefined)]),
    ...Object.entries(values).map(([field, value]) => entry(field === "minutes" ? "quizMinutes" : field, value)),
    ...pools.map(({ key, title, draw }) => ({ ...entry("pool", `${title}: ${draw}`), key: `pool.${key}` })),
  ];
}

/** Texts of the questions and choices that conditions may name. */
function namesFor(blocks: LessonBlock[]) {
  const names: Record<string, string> = {};
  for (const block of blocks) {
    if (block.kind === "question") {
      names[block.id] = plainText(block.question.text).slice(0, 100);
      if ("choices" in block.question)
        for (const { id, text } of block.question.choices) names[id] = plainText(text).slice(0, 100);
    }
    if (block.kind !== "scenario") continue;
    names[block.id] = block.title;
    for (const { choices } of block.steps)
      for (const { id, text } of choices) names[id] = plainText(text).slice(0, 100);
  }
  return names;
}
