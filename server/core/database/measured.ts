import { type RawBuilder, sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { Problem } from "#server/core/http/problem.ts";
import { MIN_GROUP } from "#shared/core/smallGroups.ts";
import type { MeasuredKind } from "#shared/core/measuredKinds.ts";
import { scopeOf, type User } from "#shared/core/users.ts";

// Data that a company can hide from everyone but the person concerned (docs/decisions/0091-what-is-measured.md). Every
// query that reads such data for other people must use these conditions.

const columns = {
  replay: sql.ref("company_measures.replay"),
  activeTime: sql.ref("company_measures.active_time"),
  lastActivity: sql.ref("company_measures.last_activity"),
  conversations: sql.ref("company_measures.conversations"),
  scores: sql.ref("company_measures.scores"),
} satisfies Record<MeasuredKind, unknown>;

/** Who reads; null for a reader without an account, such as an auditor with a link. */
export type Reader = Pick<User, "id" | "role" | "companyId"> | null;
/** The queries of learners have only rows of their own. */
const readsOwn = (reader: Reader) => reader !== null && scopeOf(reader).kind === "person";

const hidingCompanies = (kind: MeasuredKind) => sql`
      select company_measures.company_id
      from company_measures
      where company_measures.until is null
        and ${columns[kind]} = 'nobody'`;

/** SQL condition: the reader may see this kind of data of the company in this column; of no company, always. */
export function isShown(reader: Reader, kind: MeasuredKind, company: string): RawBuilder<boolean> {
  if (readsOwn(reader)) return sql<boolean>`true`;
  return sql<boolean>`((${sql.ref(company)} not in (${hidingCompanies(kind)})) is not false)`;
}

/** SQL condition: the conversation with this id may be seen. Reads those of companies that hide theirs, if any. */
export function isOfShownConversation(reader: Reader, conversation: string): RawBuilder<boolean> {
  if (readsOwn(reader)) return sql<boolean>`true`;
  return sql<boolean>`not exists (
      select
      from (${hidingCompanies("conversations")}) hiding
      join conversations hidden on hidden.company_id = hiding.company_id
      where hidden.id = ${sql.ref(conversation)}
    )`;
}

/** SQL: a value if the reader may see it, otherwise null. */
export function shown<T>(
  reader: Reader,
  kind: MeasuredKind,
  company: string,
  value: RawBuilder<T>,
): RawBuilder<T | null> {
  return readsOwn(reader) ? value : sql<T | null>`case when ${isShown(reader, kind, company)} then ${value} end`;
}

/** SQL: a sum that is null if nothing of what it counts may be seen, and 0 if there is nothing. */
export const shownSum = (reader: Reader, kind: MeasuredKind, company: string, value: RawBuilder<unknown>) =>
  sql<number | null>`coalesce(
    sum(${shown(reader, kind, company, value)}),
    case when count(*) = 0 then 0 end
  )::int`;

/**
 * Which kinds any of these companies, by default any at all, hides from the reader. Orders by a hidden kind read no
 * index.
 */
export async function listHidden(db: Db, reader: Reader, companyIds?: string[]): Promise<Set<MeasuredKind>> {
  if (readsOwn(reader)) return new Set();
  const rows = await db
    .selectFrom("companyMeasures")
    .where("until", "is", null)
    .$if(companyIds !== undefined, (all) => all.where(isOneOf("companyId", companyIds as string[])))
    .select((e) => [
      e.fn.agg<boolean | null>("bool_or", [sql`replay = 'nobody'`]).as("replay"),
      e.fn.agg<boolean | null>("bool_or", [sql`active_time = 'nobody'`]).as("activeTime"),
      e.fn.agg<boolean | null>("bool_or", [sql`last_activity = 'nobody'`]).as("lastActivity"),
      e.fn.agg<boolean | null>("bool_or", [sql`conversations = 'nobody'`]).as("conversations"),
      e.fn.agg<boolean | null>("bool_or", [sql`scores = 'nobody'`]).as("scores"),
    ])
    .executeTakeFirstOrThrow();
  const kinds = Object.entries(rows).flatMap(([kind, isHidden]) => (isHidden ? [kind as MeasuredKind] : []));
  return new Set(kinds);
}

/** SQL: the kinds that a company hid at a time. */
export const hiddenKindsAt = (company: RawBuilder<unknown>, at: RawBuilder<unknown>) => sql`
      select kind
      from company_measures
      cross join lateral (values ${sql.join(
        Object.entries(columns).map(([kind, column]) => sql`(${kind}::text, ${column})`),
      )}) chosen (kind, who)
      where company_measures.company_id = ${company}
        and company_measures.since <= ${at}
        and (company_measures.until is null or company_measures.until > ${at})
        and chosen.who = 'nobody'`;

/** SQL: the kinds that the company in this column hides from the reader. */
export const hiddenFrom = (reader: Reader, company: string) =>
  readsOwn(reader)
    ? sql<MeasuredKind[]>`'{}'::text[]`
    : sql<MeasuredKind[]>`array(${hiddenKindsAt(sql.ref(company), sql`now()`)})`;

/** Throws 409 if the company has switched this kind of data off for the reader. */
export async function refuseHidden(db: Db, reader: Reader, kind: MeasuredKind, companyId: string | null) {
  if (companyId === null || !(await listHidden(db, reader, [companyId])).has(kind)) return;
  const { company, day, version } = await db
    .selectFrom("companyMeasures")
    .innerJoin("companies", "companies.id", "companyMeasures.companyId")
    .where("companyId", "=", companyId)
    .where("until", "is", null)
    .select(["companies.name as company", "companyMeasures.version"])
    .select(sql<string>`to_char(since at time zone companies.timezone, 'FMDD Month YYYY')`.as("day"))
    .executeTakeFirstOrThrow();
  throw new Problem(409, "measures.notShown", { values: { company, day: day.replace(/\s+/g, " "), version } });
}

/** The smallest groups that these companies have chosen. */
export async function listSmallestGroups(db: Db, companyIds: string[]) {
  const rows = await db
    .selectFrom("companyMeasures")
    .where("until", "is", null)
    .where(isOneOf("companyId", companyIds))
    .select(["companyId", "smallestGroup"])
    .execute();
  return new Map(rows.map(({ companyId, smallestGroup }) => [companyId, smallestGroup]));
}

/** The fewest people about whom figures are shown: of one company, or the most that any company asks for. */
export async function readSmallestGroup(db: Db, companyId?: string | null): Promise<number> {
  const { most } = await db
    .selectFrom("companyMeasures")
    .where("until", "is", null)
    .$if(typeof companyId === "string", (all) => all.where("companyId", "=", companyId as string))
    .select((e) => e.fn.max("smallestGroup").as("most"))
    .executeTakeFirstOrThrow();
  return Math.max(MIN_GROUP, most ?? 0);
}
