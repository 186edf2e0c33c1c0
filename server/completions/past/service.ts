import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { addExternal, lockCourses } from "#server/completions/external.ts";
import { removeExternal, type StoredExternal } from "#server/completions/externalUndo.ts";
import { type Db, inTransaction, repeatOnDeadlock } from "#server/core/database/db.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict, notFound } from "#server/core/http/problem.ts";
import { reactionsOf } from "#server/player/completionReactions.ts";
import { MAX_LISTED, type PastCompletion, type pastCompletions } from "#shared/completions/pastCompletions.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

// Completions from elsewhere that admins record by hand; those of files are in server/imports/

type Scoped = { db: Db; user: User };

/** A learner of a company in the scope of the user, and the day there; 404 for anyone else. */
const readLearner = ({ db, user }: Scoped, id: string) =>
  db
    .selectFrom("users")
    .innerJoin("companies", "companies.id", "users.companyId")
    .where("users.id", "=", id)
    .where("users.role", "=", "learner")
    .where(inScope(user, { company: "users.companyId" }))
    .select(["companies.id as companyId", sql<string>`(now() at time zone companies.timezone)::date::text`.as("today")])
    .executeTakeFirstOrThrow(notFound);

export async function listPastCompletions(ctx: Ctx<User>, personId: string) {
  const { companyId, today } = await readLearner(ctx, personId);
  const { rows } = await sql<PastCompletion>`
    select
      external.id,
      external.course_id,
      coalesce(courses.title, external.title) as course,
      external.completed_on,
      external.reference,
      case
        when external.ended_at is not null then 'takenBack'
        when external.attempt_id is not null then 'completes'
        else 'history'
      end as effect,
      external.file_name,
      external.created_at,
      coalesce(nullif(author.name, ''), author.email) as created_by
    from external_completions external
    left join courses on courses.id = external.course_id
    left join users author on author.id = external.created_by
    where external.person_id = ${personId}
      and external.company_id = ${companyId}
    order by external.completed_on desc, external.id
    limit ${MAX_LISTED + 1}`.execute(ctx.db);
  return { items: rows.slice(0, MAX_LISTED), isMore: rows.length > MAX_LISTED, today };
}

/** Records a completion. Nothing follows from it that follows from completions here: no certificate, no email. */
export async function addPastCompletion(ctx: Ctx<User>, personId: string, body: BodyOf<typeof pastCompletions.add>) {
  const added = await repeatOnDeadlock(() =>
    inTransaction(ctx.db, async (tx) => {
      const { courseId, completedOn, scorePercent, reference } = body;
      await lockCourses(tx, [{ personId, courseId }]);
      const { companyId, today } = await readLearner({ ...ctx, db: tx }, personId);
      if (completedOn > today) throw badField("completedOn", "pastCompletions.future");
      const title = courseId === null ? await checkTitle(tx, body.title) : await readTitle(tx, courseId);
      const source = { companyId, importId: null, fileName: null, actorId: ctx.user.id };
      const completion = { row: null, personId, courseId, title, completedOn, scorePercent, reference };
      const [id] = await addExternal(tx, source, [completion]);
      if (id === undefined) throw conflict("pastCompletions.known");
      await record(tx, ctx, { action: "pastCompletions.add", companyId, courseId, people: [personId] });
      const { attemptId } = await tx
        .selectFrom("externalCompletions")
        .where("id", "=", id)
        .select("attemptId")
        .executeTakeFirstOrThrow();
      return { id, effect: attemptId === null ? ("history" as const) : ("completes" as const) };
    }),
  );
  reactionsOf(ctx).request();
  return added;
}

/** The title of a course that is not a draft. */
async function readTitle(db: Db, id: string) {
  const course = await db
    .selectFrom("courses")
    .where("id", "=", id)
    .where("status", "<>", "draft")
    .select("title")
    .executeTakeFirst();
  if (!course) throw badField("courseId", "pastCompletions.noCourse");
  return course.title;
}

/** The title of a course that is not here; one that is here must be chosen, so that it counts for requirements. */
async function checkTitle(db: Db, title: string) {
  const course = await db
    .selectFrom("courses")
    .where("status", "=", "published")
    .where(sql<boolean>`lower(${title}) in (lower(title), lower(code))`)
    .select("id")
    .limit(1)
    .executeTakeFirst();
  if (course) throw badField("title", "pastCompletions.isHere");
  return title;
}

/** Takes back what was recorded by hand; what came with a file is undone with it. */
export async function removePastCompletion(ctx: Ctx<User>, id: string) {
  await repeatOnDeadlock(() =>
    inTransaction(ctx.db, async (tx) => {
      const find = () =>
        tx
          .selectFrom("externalCompletions")
          .where("id", "=", id)
          .where(inScope(ctx.user, { company: "externalCompletions.companyId" }))
          .select(["id", "companyId", "personId", "courseId", "attemptId", "before", "endedAt", "fileName"])
          .executeTakeFirstOrThrow(notFound);
      await lockCourses(tx, [await find()]);
      const stored = await find();
      if (stored.fileName !== null) throw conflict("pastCompletions.ofFile");
      const outcome = await removeExternal(ctx, tx, stored as StoredExternal);
      if (outcome === "acted") throw conflict("pastCompletions.acted");
      if (outcome === "changed") throw conflict("pastCompletions.changed");
      const { companyId, courseId, personId } = stored;
      await record(tx, ctx, { action: "pastCompletions.remove", companyId, courseId, people: [personId] });
    }),
  );
  reactionsOf(ctx).request();
}
