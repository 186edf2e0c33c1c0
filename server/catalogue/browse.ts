import { type RawBuilder, sql } from "kysely";
import { countTypingErrors } from "#server/catalogue/typingErrors.ts";
import type { Db } from "#server/core/database/db.ts";
import { bestMatchFirst, searchFor, splitWords } from "#server/core/database/listing.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { isLeftToRules } from "#server/courses/reasons.ts";
import {
  type catalogue,
  type CatalogueCourse,
  MAX_NEAREST,
  MAX_OFFERS,
  MEDIUM_MINUTES,
  SHORT_MINUTES,
} from "#shared/catalogue/catalogue.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

// What learners see of the catalogue of their company

type Query = QueryOf<typeof catalogue.browse>;
type Row = Omit<CatalogueCourse, "requires"> & { total: number };

/**
 * SQL: everything about a person that a catalogue needs, each read once for all offers: the courses they have, those
 * they have completed or an admin has taken from them, and the courses whose prerequisites they miss.
 */
const withPerson = ({ id, companyId }: User) => sql`
  mine as materialized (
    select course_id, bool_or(status <> 'withdrawn') as is_mine,
      bool_or(
        status = 'completed'
        or exists (
          select from enrolment_cycles
          where enrolment_cycles.enrolment_id = enrolments.id
        )
      ) as is_done,
      (array_agg(status = 'withdrawn' and not ${isLeftToRules} order by cycle desc))[1] as is_taken
    from enrolments
    where user_id = ${id}
      and company_id = ${companyId}
    group by course_id
  ),
  locked as materialized (
    select distinct needed.course_id
    from catalogue_prerequisites needed
    join courses required on required.id = needed.required_id
      and required.status = 'published'
    left join mine on mine.course_id = needed.required_id and mine.is_done
    where needed.company_id = ${companyId}
      and mine.course_id is null
  ),
  asked as materialized (
    select offer_id, status
    from catalogue_requests
    where user_id = ${id}
      and status in ('open', 'waiting')
  )`;

/** SQL: free places that nobody waits for; null for any number. */
const free = sql<number | null>`case
    when offers.places is not null then greatest(0, offers.places - offers.held - offers.waiting)
  end`;
/** SQL: people find the course in the catalogue. */
const isOffered = sql<boolean>`(
  offers.removed_at is null
  and offers.is_visible
  and courses.status = 'published'
)`;
/** SQL: what the person can do now. */
const can = sql<CatalogueCourse["can"]>`case
    when not ${isOffered} or coalesce(mine.is_taken, false) then null
    when offers.way = 'none' or coalesce(mine.is_mine, false) or asked.status is not null then null
    when locked.course_id is not null then null
    when ${free} = 0 then 'wait'
    when offers.way = 'self' then 'enrol'
    else 'ask'
  end`;

/** SQL: offers of a company with the state of the person; those in the catalogue, unless told otherwise. */
const fromOffers = (user: User, isListed = isOffered) => sql`
  from catalogue_offers offers
  join courses on courses.id = offers.course_id
  left join mine on mine.course_id = offers.course_id
  left join locked on locked.course_id = offers.course_id
  left join asked on asked.offer_id = offers.id
  where offers.company_id = ${user.companyId}
    and ${isListed}`;

const offerColumns = sql`
  offers.id, offers.course_id, offers.company_id, courses.title, courses.code, courses.summary, courses.minutes,
  offers.languages, offers.price_minor, offers.currency, ${free} as free, coalesce(mine.is_mine, false) as is_mine,
  asked.status, ${can} as can`;

const minutesIn: Record<NonNullable<Query["length"]>, RawBuilder<boolean>> = {
  short: sql`courses.minutes <= ${sql.lit(SHORT_MINUTES)}`,
  medium: sql`courses.minutes > ${sql.lit(SHORT_MINUTES)} and courses.minutes <= ${sql.lit(MEDIUM_MINUTES)}`,
  long: sql`courses.minutes > ${sql.lit(MEDIUM_MINUTES)}`,
};

function filter({ language, length, notMine, startable }: Query) {
  const conditions = [
    language && sql`offers.languages @> array[${language}]`,
    length && minutesIn[length],
    notMine && sql`not coalesce(mine.is_mine, false)`,
    startable && sql`${can} = 'enrol'`,
  ].filter((one) => one !== undefined && one !== "" && one !== false);
  return conditions.length > 0 ? sql`and ${sql.join(conditions, sql` and `)}` : sql``;
}

const SEARCHED = ["courses.title", "courses.code", "courses.summary"];

const readOffers = (db: Db, user: User, query: Query, limit: number, offset: number) =>
  sql<Row>`
    with ${withPerson(user)}
    select ${offerColumns}, count(*) over ()::int as total
    ${fromOffers(user, sql<boolean>`(${isOffered} or asked.status is not null)`)}
    ${filter(query)}
    ${query.q ? sql`and ${searchFor(query.q, SEARCHED)}` : sql``}
    order by ${query.q ? sql`${bestMatchFirst(query.q, ["courses.title"])},` : sql``} lower(courses.title), offers.id
    limit ${limit}
    offset ${offset}`.execute(db);

/** Courses whose titles are a search that matched nothing as typed but for typing errors, those with fewest first. */
async function readNearest(db: Db, user: User, query: Query): Promise<Row[]> {
  const countErrors = countTypingErrors(splitWords(query.q ?? ""));
  const { rows: titles } = await sql<{ id: string; title: string }>`
    select offers.id, courses.title
    from catalogue_offers offers
    join courses on courses.id = offers.course_id
    where offers.company_id = ${user.companyId}
      and ${isOffered}
    limit ${sql.lit(MAX_OFFERS)}`.execute(db);
  const errorsById = new Map(
    titles.flatMap(({ id, title }) => {
      const errors = countErrors(title);
      return errors === null ? [] : [[id, errors] as const];
    }),
  );
  if (errorsById.size === 0) return [];
  const { rows } = await sql<Row>`
    with ${withPerson(user)}
    select ${offerColumns}, 0 as total
    ${fromOffers(user)}
      and offers.id = any(${[...errorsById.keys()]}::uuid[])
      ${filter(query)}
    order by lower(courses.title), offers.id`.execute(db);
  return rows
    .toSorted((one, other) => (errorsById.get(one.id) ?? 0) - (errorsById.get(other.id) ?? 0))
    .slice(0, MAX_NEAREST);
}

/** A page of the catalogue. Admins have none. */
export async function browse({ db, user }: Ctx<User>, query: Query) {
  const languages = await listLanguages(db, user);
  const { rows } = await readOffers(db, user, query, query.size, (query.page - 1) * query.size);
  if (rows.length === 0 && query.page === 1 && query.q) {
    const nearest = await readNearest(db, user, query);
    const items = await withRequired(db, user, nearest);
    return { items, total: items.length, isNearest: items.length > 0, languages };
  }
  const counted = rows.length > 0 || query.page === 1 ? rows : (await readOffers(db, user, query, 1, 0)).rows;
  return { items: await withRequired(db, user, rows), total: counted[0]?.total ?? 0, isNearest: false, languages };
}

async function listLanguages(db: Db, { companyId }: User) {
  const { rows } = await sql<{ language: string }>`
    select distinct unnest(offers.languages) as language
    from catalogue_offers offers
    join courses on courses.id = offers.course_id
    where offers.company_id = ${companyId}
      and ${isOffered}
    order by 1
    limit 200`.execute(db);
  return rows.map(({ language }) => language);
}

/** The prerequisites of the courses of a page. */
async function withRequired(db: Db, user: User, rows: Row[]): Promise<CatalogueCourse[]> {
  if (rows.length === 0) return [];
  const { rows: needed } = await sql<{ courseId: string; title: string; isDone: boolean }>`
    with ${withPerson(user)}
    select needed.course_id, courses.title, coalesce(mine.is_done, false) as is_done
    from catalogue_prerequisites needed
    join courses on courses.id = needed.required_id
      and courses.status = 'published'
    left join mine on mine.course_id = needed.required_id
    where needed.company_id = ${user.companyId}
      and needed.course_id = any(${rows.map(({ courseId }) => courseId)}::uuid[])
    order by lower(courses.title)`.execute(db);
  const byCourse = Map.groupBy(needed, ({ courseId }) => courseId);
  return rows.map((row) => ({
    ...row,
    requires: (byCourse.get(row.courseId) ?? []).map(({ title, isDone }) => ({ title, isDone })),
  }));
}

/** Whether the catalogue of the person's company offers anything. */
export async function hasOffers(db: Db, { companyId }: User) {
  const { rows } = await sql<{ has: boolean }>`
    select exists (
      select from catalogue_offers offers
      join courses on courses.id = offers.course_id
      where offers.company_id = ${companyId}
        and ${isOffered}
    ) as has`.execute(db);
  return rows[0]?.has ?? false;
}

/** One course of the catalogue as the person sees it, also if it is not offered any more but they asked for it. */
export async function readOffer(db: Db, user: User, id: string): Promise<CatalogueCourse | null> {
  const isOfferedOrAsked = sql<boolean>`(
    ${isOffered}
    or exists (
      select from catalogue_requests
      where catalogue_requests.offer_id = offers.id
        and catalogue_requests.user_id = ${user.id}
    )
  )`;
  const { rows } = await sql<Row>`
    with ${withPerson(user)}
    select ${offerColumns}, 1 as total
    ${fromOffers(user, isOfferedOrAsked)}
      and offers.id = ${id}`.execute(db);
  return (await withRequired(db, user, rows))[0] ?? null;
}
