import { type RawBuilder, sql } from "kysely";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import { isOneOf, readCounted, searchFor } from "#server/core/database/listing.ts";
import { personnelNumber } from "#server/core/database/personnelNumber.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import { findConflicts } from "#server/enrolmentRules/conflicts.ts";
import { isLeftToRules } from "#server/courses/reasons.ts";
import {
  dueOn,
  isException,
  meets,
  readContext,
  type RuleTerms,
  selectPeople,
} from "#server/enrolmentRules/meeting.ts";
import { getRule } from "#server/enrolmentRules/ruleRows.ts";
import { checkCompany } from "#server/enrolmentRules/service.ts";
import { checkTerms } from "#server/enrolmentRules/terms.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import type {
  enrolmentRules,
  Preview,
  PreviewPart,
  PreviewPerson,
  RuleDraft,
} from "#shared/enrolmentRules/enrolmentRules.ts";

/** Names that a preview shows. */
const SHOWN = 5;
const shownName = sql<string>`coalesce(nullif(users.name, ''), users.email, '')`;

/** Checks a draft and its company, and runs `work` in one transaction, which must only read. */
export const withDraft = <T>(ctx: Ctx<User>, draft: RuleDraft, work: (tx: Tx, terms: RuleTerms) => Promise<T>) =>
  inTransaction(ctx.db, async (tx) => {
    const scoped = { ...ctx, db: tx };
    await checkCompany(scoped, draft.companyId);
    if (draft.id && (await getRule(scoped, draft.id)).companyId !== draft.companyId) throw notFound();
    await checkTerms(tx, { ...draft, leaving: "keep" });
    return work(tx, { ...draft, id: draft.id ?? null });
  });

/**
 * SQL: `users`, and `judged`: for everyone who meets the rule, how many of the courses they would get (`fresh`), have,
 * and do not get because an admin withdrew them. Never joins two of its parts: with old statistics that takes time
 * quadratic in the number of people.
 */
export async function judgePeople(tx: Tx, terms: RuleTerms, courseIds: string[]): Promise<RawBuilder<unknown>> {
  const context = await readContext(tx, [terms]);
  const isLater = terms.people === "future" ? await isNotNew(tx, terms.id) : sql`false`;
  return sql`
    users as materialized (${selectPeople(terms.companyId)}),
    meeting as materialized (
      select users.id, users.company_id, ${dueOn(terms.due)} as due_date, ${isLater} as is_later
      from users
      where users.can_enrol
        and ${meets(terms, context)}
    ),
    states as materialized (
      select meeting.id, meeting.due_date, courses.id as course_id,
        case
          when enrolments.id is null or (enrolments.status = 'withdrawn' and ${isLeftToRules})
            then case when meeting.is_later or courses.status = 'archived' then 'later' else 'fresh' end
          when enrolments.status = 'withdrawn' then 'withdrawn'
          else 'has'
        end as state
      from meeting
      cross join courses
      left join enrolments
        on enrolments.user_id = meeting.id
        and enrolments.course_id = courses.id
        and enrolments.company_id = meeting.company_id
      where ${isOneOf("courses.id", courseIds)}
    ),
    judged as materialized (
      select id, due_date,
        count(*) filter (where state = 'fresh')::int as fresh,
        count(*) filter (where state = 'has')::int as has,
        count(*) filter (where state = 'withdrawn')::int as withdrawn,
        count(*)::int as courses
      from states
      group by id, due_date
    )`;
}

/**
 * SQL: people who meet a rule for future people but get nothing now: for an active rule its exceptions, otherwise
 * everyone.
 */
async function isNotNew(tx: Tx, id: string | null) {
  const rule = id && (await tx.selectFrom("enrolmentRules").where("id", "=", id).select("state").executeTakeFirst());
  return id && rule && rule.state === "active" ? isException(id) : sql<boolean>`true`;
}

/** SQL: people who have a course by the stored rule but do not meet the draft. */
const selectLeaving = (id: string | null) => sql`
  select distinct enrolments.user_id as id
  from enrolment_reasons
  join enrolments on enrolments.id = enrolment_reasons.enrolment_id
  join public.users person on person.id = enrolments.user_id and person.company_id = enrolments.company_id
  where enrolment_reasons.rule_id = ${id}::uuid
    and enrolment_reasons.kind = 'rule'
    and enrolment_reasons.until is null
    and person.role = 'learner'
    and enrolments.user_id not in (select id from judged)`;

export const previewRule = (ctx: Ctx<User>, draft: RuleDraft) =>
  withDraft(ctx, draft, async (tx, terms): Promise<Preview> => {
    const judged = await judgePeople(tx, terms, draft.courseIds);
    const { rows } = await sql<Omit<Preview, "courses" | "conflicts">>`
      with ${judged}
      select count(*)::int as meet,
        count(*) filter (where fresh > 0)::int as fresh,
        count(*) filter (where has = courses)::int as has,
        count(*) filter (where withdrawn > 0)::int as withdrawn,
        coalesce(sum(fresh), 0)::int as enrolments,
        (select count(*)::int from (${selectLeaving(draft.id ?? null)}) leaving) as leaves,
        array(
          select ${shownName}
          from judged named
          join public.users on users.id = named.id
          where named.fresh > 0
          order by lower(${shownName}), users.id
          limit ${SHOWN}
        ) as names
      from judged`.execute(tx);
    const { rows: courses } = await sql<Preview["courses"][number]>`
      with ${judged}
      select courses.id, courses.title, courses.code, courses.status,
        count(*) filter (where states.state = 'fresh')::int as fresh,
        count(*) filter (where states.state = 'has')::int as has,
        count(*) filter (where states.state = 'withdrawn')::int as withdrawn
      from courses
      left join states on states.course_id = courses.id
      where ${isOneOf("courses.id", draft.courseIds)}
      group by courses.id
      order by lower(courses.title), courses.id`.execute(tx);
    const counts = rows[0] as (typeof rows)[number];
    return { ...counts, courses, conflicts: await findConflicts(tx, terms, draft.courseIds) };
  });

const conditions: Record<Exclude<PreviewPart, "leaves">, RawBuilder<unknown>> = {
  meet: sql`true`,
  fresh: sql`judged.fresh > 0`,
  has: sql`judged.has = judged.courses`,
  withdrawn: sql`judged.withdrawn > 0`,
};

export const listPreviewPeople = (
  ctx: Ctx<User>,
  { part, q, page, size, ...draft }: BodyOf<typeof enrolmentRules.previewPeople>,
) =>
  withDraft(ctx, draft, async (tx, terms) => {
    const judged = await judgePeople(tx, terms, draft.courseIds);
    const isFound = q ? searchFor(q, ["users.name", "users.email"]) : sql`true`;
    const listed =
      part === "leaves"
        ? sql`
          select id, null::date as due_date, 0 as fresh, 0 as has, 0 as withdrawn
          from (${selectLeaving(draft.id ?? null)}) leaving`
        : sql`
          select judged.id, judged.due_date, judged.fresh, judged.has, judged.withdrawn
          from judged
          where ${conditions[part]}`;
    return readCounted<PreviewPerson & { total: number }>({ page, size }, (limit, offset) =>
      sql<PreviewPerson & { total: number }>`
        select users.id, users.name, users.email, ${personnelNumber} as personnel_number, companies.name as company,
          listed.fresh, listed.has, listed.withdrawn, listed.due_date,
          (count(*) over ())::int as total
        from (with ${judged} ${listed}) listed
        join users on users.id = listed.id
        join companies on companies.id = users.company_id
        where ${isFound}
        order by lower(${shownName}), users.id
        limit ${limit}
        offset ${offset}`.execute(tx),
    );
  });
