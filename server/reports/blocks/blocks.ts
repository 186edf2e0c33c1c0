import { sql } from "kysely";
import { recordView } from "#server/audit/service.ts";
import { readCounted } from "#server/core/database/listing.ts";
import { shareReading } from "#server/core/database/sharedReading.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { isShown } from "#server/core/database/measured.ts";
import { readContents } from "#server/lessons/contents.ts";
import { assignmentsAsOf, type Counted } from "#server/reports/figures/assignments.ts";
import { erasedNumber } from "#server/reports/figures/rows.ts";
import { countCourse } from "#server/reports/questions/questions.ts";
import { describeBlock } from "#shared/lessons/blockTexts.ts";
import type { QueryOf } from "#shared/core/route.ts";
import { scopeOf, type User } from "#shared/core/users.ts";
import {
  type BlockFigures,
  type BlockPerson,
  MAX_MINUTES_ON_BLOCK,
  STOPPED_DAYS,
} from "#shared/reports/blockFigures.ts";
import type { reports } from "#shared/reports/reports.ts";

type Query = QueryOf<typeof reports.lessonBlocks>;

/** The blocks of a lesson as authors read them, each with its figures. */
export async function countLessonBlocks(ctx: Ctx<User>, id: string, query: Query) {
  const counted = await countCourse(ctx, id, query);
  return shareReading(ctx, ["lessonBlocks", scopeOf(ctx.user), id, query], async () => {
    const versions = await ctx.db
      .selectFrom("courseVersions")
      .innerJoin("courses", "courses.id", "courseVersions.courseId")
      .where("courseVersions.courseId", "=", id)
      .where("courseVersions.kind", "in", ["lessons", "mixed"])
      .orderBy("courseVersions.number", "desc")
      .select(["courseVersions.id", "courseVersions.number", "courseVersions.parts", "courses.liveVersionId"])
      .execute();
    const isShown = (one: (typeof versions)[number]) =>
      query.version === undefined ? one.id === one.liveVersionId : one.number === query.version;
    const version = versions.find(isShown) ?? versions[0];
    const documents = version ? (await readContents(ctx.db, version.id)).documents : new Map<string, never>();
    const lessons = (version?.parts ?? []).flatMap(({ sco, title }) => (documents.has(sco) ? [{ sco, title }] : []));
    const lesson = (lessons.find(({ sco }) => sco === query.lesson) ?? lessons[0])?.sco ?? null;
    const found = lesson === null ? { learners: 0, blocks: [] } : await readFigures(ctx, counted, lesson, query);
    const byId = new Map(found.blocks.map((row) => [row.id, row]));
    const none = { reached: 0, medianSeconds: null, stopped: 0, unclear: 0 };
    const blocks = lesson === null ? [] : (documents.get(lesson)?.blocks ?? []);
    return {
      lessons,
      versions: versions.map(({ number }) => number),
      lesson,
      learners: found.learners,
      blocks: blocks.map((block) => ({
        ...none,
        ...byId.get(block.id),
        id: block.id,
        kind: block.kind,
        about: describeBlock(block),
      })),
    };
  });
}

/**
 * The CTEs `viewed`, when each assignment came to each block first; `views`, those of one lesson; and `stopped`, the
 * block of any lesson that those came to last who have not completed the course, and done nothing in it for days.
 */
const lessonViews = (counted: Counted, lesson: string, version: number | undefined) => {
  const ofVersion =
    version === undefined
      ? sql`true`
      : sql`attempts.version_id in (
          select id
          from course_versions
          where course_versions.course_id = ${counted.filters.courseId}
            and course_versions.number = ${version}
        )`;
  const asOf = sql`${counted.asOf}::timestamptz`;
  return sql`
  ${assignmentsAsOf(counted, "day")},
  tried as materialized (
    select
      assignments.enrolment_id, assignments.person_id, assignments.company_id,
      attempts.id as attempt_id,
      assignments.status <> 'completed'
        and assignments.last_activity_at < ${asOf} - make_interval(days => ${STOPPED_DAYS}) as has_left
    from assignments
    join attempts
      on attempts.enrolment_id = assignments.enrolment_id
      and not attempts.preview
      and ${ofVersion}
  ),
  viewed as (
    select
      tried.enrolment_id, tried.person_id, tried.company_id, seen.sco, seen.block_id, seen.session_id, seen.seq,
      seen.t, seen.recorded_at
    from tried
    join block_views seen on seen.attempt_id = tried.attempt_id
    where seen.recorded_at < ${asOf}
  ),
  views as (
    select *
    from viewed
    where sco = ${lesson}
  ),
  stopped as (
    select distinct on (tried.enrolment_id)
      tried.enrolment_id, tried.person_id, tried.company_id, seen.sco, seen.block_id, seen.session_id, seen.t,
      seen.recorded_at
    from tried
    join block_views seen on seen.attempt_id = tried.attempt_id
    where tried.has_left
      and seen.block_id <> ''
      and seen.recorded_at < ${asOf}
    order by tried.enrolment_id, seen.recorded_at desc, seen.session_id, seen.seq desc
  )`;
};

type Found = Pick<BlockFigures, "id" | "reached" | "medianSeconds" | "stopped" | "unclear">;

/** Blocks that come into view within a second share the time until what follows. */
async function readFigures(ctx: Ctx<User>, counted: Counted, lesson: string, { version }: Query) {
  const asOf = sql`${counted.asOf}::timestamptz`;
  const { rows } = await sql<Found>`
    with ${lessonViews(counted, lesson, version)},
    placed as (
      select
        viewed.*,
        (t - lag(t, 1, -2000) over (partition by session_id order by t, seq) > 1000)::int as is_new
      from viewed
    ),
    grouped as (
      select placed.*, sum(is_new) over (partition by session_id order by t, seq) as place
      from placed
    ),
    timed as (
      select
        session_id, place,
        (lead(min(t)) over (partition by session_id order by place) - min(t)) / 1000.0 as seconds,
        count(*) filter (where block_id <> '') as blocks
      from grouped
      group by session_id, place
    ),
    seen as (
      select
        grouped.block_id as id,
        count(distinct grouped.person_id)::int as reached,
        percentile_cont(0.5) within group (order by timed.seconds / nullif(timed.blocks, 0))
          filter (
            where timed.seconds < ${MAX_MINUTES_ON_BLOCK * 60}
              and ${isShown(ctx.user, "activeTime", "grouped.companyId")}
          ) as median_seconds
      from grouped
      join timed using (session_id, place)
      where grouped.block_id <> ''
        and grouped.sco = ${lesson}
      group by grouped.block_id
    ),
    left_at as (
      select block_id as id, count(distinct person_id)::int as stopped
      from stopped
      where sco = ${lesson}
      group by block_id
    ),
    marked as (
      select unclear_marks.block_id as id, count(distinct tried.person_id)::int as unclear
      from tried
      join unclear_marks using (attempt_id)
      where unclear_marks.sco = ${lesson}
        and unclear_marks.received_at < ${asOf}
      group by unclear_marks.block_id
    )
    select
      id,
      coalesce(reached, 0) as reached,
      median_seconds,
      coalesce(stopped, 0) as stopped,
      coalesce(unclear, 0) as unclear
    from seen
    full join left_at using (id)
    full join marked using (id)
    union all
    select '', count(distinct person_id)::int, null, 0, 0
    from views
    where block_id <> ''`.execute(ctx.db);
  return { learners: rows.find(({ id }) => id === "")?.reached ?? 0, blocks: rows.filter(({ id }) => id !== "") };
}

type FoundPerson = BlockPerson & { total: number };
/** One page of the people whom a figure of a block counts, with the second at which it came into view. */
export async function listBlockPeople(ctx: Ctx<User>, id: string, query: QueryOf<typeof reports.blockPeople>) {
  const counted = await countCourse(ctx, id, query);
  const { lesson, block, group, version } = query;
  const source =
    group === "stopped"
      ? sql`(
          select distinct on (person_id) *
          from stopped
          where sco = ${lesson}
            and block_id = ${block}
          order by person_id, recorded_at desc, session_id
        )`
      : sql`(
          select distinct on (person_id) *
          from views
          where block_id = ${block}
          order by person_id, recorded_at, session_id
        )`;
  const { items, total } = await readCounted(query, (limit, offset) =>
    sql<FoundPerson>`
      with ${lessonViews(counted, lesson, version)},
      assigned as (
        select source.*, ${erasedNumber} as person
        from ${source} source
        join assignments using (enrolment_id)
      )
      select
        found.enrolment_id as id,
        users.id as user_id, found.person, users.name, users.email,
        companies.name as company,
        found.session_id, found.t,
        sessions.started_at + make_interval(secs => found.t / 1000.0) as seen_at,
        count(*) over ()::int as total
      from assigned found
      join sessions on sessions.id = found.session_id
      left join users on users.id = found.person_id
      left join companies on companies.id = found.company_id
      where ${isShown(ctx.user, "replay", "found.companyId")}
      order by seen_at desc, found.enrolment_id
      limit ${limit}
      offset ${offset}`.execute(ctx.db),
  );
  for (const { userId } of items) if (userId) await recordView(ctx, "reports.blockPeople", userId, { courseId: id });
  return { items: items.map(({ total: _, ...row }) => row), total };
}
