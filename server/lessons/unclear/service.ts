import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { type Db, inTransaction } from "#server/core/database/db.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import { announceChange } from "#server/core/live/announcements.ts";
import { readContents } from "#server/lessons/contents.ts";
import { describeBlock } from "#shared/lessons/blockTexts.ts";
import {
  MAX_UNCLEAR_BLOCKS,
  MAX_UNCLEAR_LINES,
  type UnclearBlock,
  type unclearMarks,
} from "#shared/lessons/unclear/unclearMarks.ts";
import type { BodyOf, QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

type Found = Omit<UnclearBlock, "lesson" | "about" | "version"> & { versionId: string };

/** What learners have marked in a course, in the order of people who still wait, without who they are. */
export async function listUnclear(ctx: Ctx<User>, courseId: string, { lessonId }: QueryOf<typeof unclearMarks.list>) {
  await findCourse(ctx.db, courseId);
  const { rows } = await sql<Found>`
    with marks as (
      select
        unclear_marks.*, attempts.user_id, attempts.company_id, attempts.version_id,
        row_number() over (
          partition by unclear_marks.sco, unclear_marks.block_id, unclear_marks.line = ''
          order by unclear_marks.dealt_at is not null, unclear_marks.received_at desc
        ) as place
      from unclear_marks
      join attempts on attempts.id = unclear_marks.attempt_id
      where unclear_marks.course_id = ${courseId}
        and ${inScope(ctx.user, { company: "attempts.companyId" })}
        and (${lessonId ?? null}::text is null or unclear_marks.sco = ${lessonId ?? null})
    )
    select
      sco as lesson_id, block_id,
      count(distinct user_id) filter (where dealt_at is null)::int as open,
      count(distinct user_id)::int as people,
      coalesce(
        jsonb_agg(
          jsonb_build_object('line', line, 'day', to_char(marked_at, 'YYYY-MM-DD'), 'isDealt', dealt_at is not null)
          order by place
        ) filter (where line <> '' and place <= ${MAX_UNCLEAR_LINES}),
        '[]'
      ) as lines,
      max(received_at) as until,
      (array_agg(version_id order by received_at desc))[1] as version_id
    from marks
    group by sco, block_id
    order by open desc, people desc, lesson_id, block_id
    limit ${MAX_UNCLEAR_BLOCKS}`.execute(ctx.db);
  const words = await readWords(ctx.db, rows);
  return { items: rows.map(({ versionId, ...row }) => ({ ...row, ...words(versionId, row.lessonId, row.blockId) })) };
}

const findCourse = (db: Db, id: string) =>
  db.selectFrom("courses").where("id", "=", id).select("id").executeTakeFirstOrThrow(notFound);

/** What lessons and blocks are called in versions. */
async function readWords(db: Db, rows: Found[]) {
  const versions = new Map<string, { number: number; titles: Map<string, string> }>();
  const texts = new Map<string, string>();
  for (const id of new Set(rows.map(({ versionId }) => versionId))) {
    const { number, parts } = await db
      .selectFrom("courseVersions")
      .where("id", "=", id)
      .select(["number", "parts"])
      .executeTakeFirstOrThrow();
    versions.set(id, { number, titles: new Map(parts.map(({ sco, title }) => [sco, title])) });
    for (const [sco, { blocks }] of (await readContents(db, id)).documents)
      for (const block of blocks) texts.set(`${id} ${sco} ${block.id}`, describeBlock(block));
  }
  return (versionId: string, lessonId: string, blockId: string) => ({
    lesson: versions.get(versionId)?.titles.get(lessonId) ?? "",
    version: versions.get(versionId)?.number ?? 0,
    about: texts.get(`${versionId} ${lessonId} ${blockId}`) ?? "",
  });
}

export async function dealWithUnclear(
  ctx: Ctx<User>,
  courseId: string,
  { lessonId, blockId, until, isDealt }: BodyOf<typeof unclearMarks.deal>,
) {
  await findCourse(ctx.db, courseId);
  return inTransaction(ctx.db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("unclearMarks")
      .from("attempts")
      .whereRef("attempts.id", "=", "unclearMarks.attemptId")
      .where("unclearMarks.courseId", "=", courseId)
      .where("unclearMarks.sco", "=", lessonId)
      .where("unclearMarks.blockId", "=", blockId)
      .where("receivedAt", "<=", until)
      .where("dealtAt", isDealt ? "is" : "is not", null)
      .where(inScope(ctx.user, { company: "attempts.companyId" }))
      .set(isDealt ? { dealtAt: sql`now()`, dealtBy: ctx.user.id } : { dealtAt: null, dealtBy: null })
      .executeTakeFirst();
    const changed = Number(numUpdatedRows);
    if (changed > 0) {
      const to = isDealt ? "resolved" : "open";
      await record(tx, ctx, { action: "unclearMarks.deal", courseId, details: { to } });
      await announceChange(tx, { domain: "unclearMarks" });
    }
    return { changed };
  });
}
