import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import { ENROLMENT_SCOPE } from "#server/courses/enrolments.ts";
import type { courses } from "#shared/courses/courses.ts";
import type { EnrolmentReason } from "#shared/courses/reasons.ts";
import type { QueryOf } from "#shared/core/route.ts";
import { isAdmin, type User } from "#shared/core/users.ts";

// Why a learner has a course. Triggers write a reason for every enrolment (migrations/0132_enrolment_reasons.sql)

/** Reasons of one enrolment that are read; the open ones come first. */
const MAX_REASONS = 50;

/** SQL: a withdrawn enrolment that rules and paths may restore: they or an undoing took it, and no admin. */
export const isLeftToRules = sql<boolean>`(
    select ended
    from enrolment_reasons
    where enrolment_reasons.enrolment_id = enrolments.id
    order by until desc nulls first, id desc
    limit 1
  ) in ('left', 'undone')`;

type WrittenKind = "import" | "event" | "elsewhere" | "rule";

/** Runs `work`, whose new enrolments have this reason; `rule`, for rules and paths: the caller writes it. */
export async function withReason<T>(tx: Tx, kind: WrittenKind, work: () => Promise<T>): Promise<T> {
  const say = (said: string) => sql`select set_config('lyceum.enrolment_reason', ${said}, true)`.execute(tx);
  await say(kind);
  const result = await work();
  await say("");
  return result;
}

/** Ends the reasons that a step has added, except the last one of an enrolment, which it keeps. */
export const undoReasons = (tx: Tx, stepId: string) =>
  sql`
    update enrolment_reasons
    set until = now(), ended = 'undone', ended_by = undo_steps.made_by
    from undo_steps
    where undo_steps.id = ${stepId}
      and enrolment_reasons.made_by = undo_steps.made_by
      and enrolment_reasons.since = undo_steps.made_at
      and enrolment_reasons.kind in ('person', 'company')
      and enrolment_reasons.until is null
      and exists (
        select from enrolment_reasons other
        where other.enrolment_id = enrolment_reasons.enrolment_id
          and other.until is null
          and other.id <> enrolment_reasons.id
      )`.execute(tx);

/** Why a learner has a course: all reasons of the latest enrolment. Learners do not read who decided. */
export async function listReasons(ctx: Ctx<User>, courseId: string, query: QueryOf<typeof courses.reasons>) {
  const { db, user } = ctx;
  const enrolment = await db
    .selectFrom("enrolments")
    .where("courseId", "=", courseId)
    .where("userId", "=", query.userId ?? user.id)
    .where(inScope(user, ENROLMENT_SCOPE))
    .orderBy("cycle", "desc")
    .select(["id", "status"])
    .executeTakeFirstOrThrow(notFound);
  return { status: enrolment.status, items: (await readReasons(ctx, [enrolment.id])).get(enrolment.id) ?? [] };
}

/** The reasons of enrolments in the scope of the user: the open ones first, then the latest. */
export async function readReasons({ db, user }: Ctx<User>, enrolmentIds: string[]) {
  const names = isAdmin(user);
  const { rows } = await sql<EnrolmentReason & { enrolmentId: string }>`
    select asked.id as enrolment_id, reasons.id::text, reasons.kind, reasons.since, reasons.until, reasons.ended,
      reasons.due_date, companies.name as company,
      case when ${names} and ${inScope(user, { company: "rules.companyId" })} then rules.id end as rule_id,
      coalesce(rules.name, paths.title, '') as rule,
      case when reasons.kind = 'path' then paths.id end as path_id,
      coalesce(rules.explanation, '') as explanation,
      coalesce(rules.due, '{"kind": "none"}') as due,
      case when ${names} then coalesce(nullif(maker.name, ''), maker.email) end as by,
      case when ${names} then coalesce(nullif(ender.name, ''), ender.email) end as ended_by
    from unnest(${enrolmentIds}::uuid[]) asked (id)
    cross join lateral (
      select *
      from enrolment_reasons
      where enrolment_id = asked.id
      order by until desc nulls first, since desc, id desc
      limit ${MAX_REASONS}
    ) reasons
    join companies on companies.id = reasons.company_id
    left join enrolment_rules rules on rules.id = reasons.rule_id
    left join paths on paths.id = reasons.rule_id
    join enrolments on enrolments.id = asked.id
    left join users maker on maker.id = reasons.made_by
      and (
        maker.role = 'admin'
        -- Managers approve requests; who took the course themselves did not decide about it.
        or (reasons.kind = 'self' and maker.id <> enrolments.user_id)
      )
    left join users ender on ender.id = reasons.ended_by and ender.role = 'admin'
    order by asked.id, reasons.until desc nulls first, reasons.since desc, reasons.id desc`.execute(db);
  const byEnrolment = new Map<string, EnrolmentReason[]>();
  for (const { enrolmentId, ...reason } of rows)
    byEnrolment.set(enrolmentId, [...(byEnrolment.get(enrolmentId) ?? []), reason]);
  return byEnrolment;
}
