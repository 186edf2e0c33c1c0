import { sql } from "kysely";
import { holders } from "#server/catalogue/places.ts";
import { orderBy, readPage, searchFor } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import { type catalogue, CHOICES, MAX_COUNTED, type Offer } from "#shared/catalogue/catalogue.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

export type Scoped = Pick<Ctx<User>, "db" | "user">;

/** Throws 404 for a company outside the scope of the user. */
export const checkCompany = ({ db, user }: Scoped, id: string) =>
  db
    .selectFrom("companies")
    .where("id", "=", id)
    .where(inScope(user, { company: "companies.id" }))
    .select("id")
    .executeTakeFirstOrThrow(notFound);

const readOffers = (ids: string[]) =>
  sql<Offer>`
    select
      offers.id, offers.company_id, offers.course_id, courses.title as course, courses.code,
      courses.status as course_status, offers.is_visible, offers.way, offers.places, offers.price_minor,
      offers.currency, offers.cost_centre, offers.languages, offers.version,
      offers.held, needed.requires, needed.required_titles,
      needed.archived,
      (
        select count(*)::int
        from (select ${holders(sql`offers.id`)} limit ${sql.lit(MAX_COUNTED)}) counted
      ) as enrolled,
      (
        select count(*)::int
        from (
          select from catalogue_requests
          where offer_id = offers.id
            and status = 'open'
          limit ${sql.lit(MAX_COUNTED)}
        ) counted
      ) as open,
      (
        select count(*)::int
        from (
          select from catalogue_requests
          where offer_id = offers.id
            and status = 'waiting'
          limit ${sql.lit(MAX_COUNTED)}
        ) counted
      ) as waiting
    from catalogue_offers offers
    join courses on courses.id = offers.course_id
    cross join lateral (
      select
        coalesce(array_agg(required.id order by lower(required.title), required.id), '{}') as requires,
        coalesce(array_agg(required.title order by lower(required.title), required.id), '{}') as required_titles,
        coalesce(array_agg(required.id) filter (where required.status <> 'published'), '{}') as archived
      from catalogue_prerequisites
      join courses required on required.id = catalogue_prerequisites.required_id
      where catalogue_prerequisites.company_id = offers.company_id
        and catalogue_prerequisites.course_id = offers.course_id
    ) needed
    where offers.id = any(${ids}::uuid[])`;

export async function listOffers(ctx: Ctx<User>, companyId: string, query: QueryOf<typeof catalogue.offers>) {
  await checkCompany(ctx, companyId);
  let rows = ctx.db
    .selectFrom("catalogueOffers")
    .innerJoin("courses", "courses.id", "catalogueOffers.courseId")
    .where("catalogueOffers.companyId", "=", companyId)
    .where(inScope(ctx.user, { company: "catalogueOffers.companyId" }))
    .where("catalogueOffers.removedAt", "is", null);
  if (query.q) rows = rows.where(searchFor(query.q, ["courses.title", "courses.code"]));
  return readPage(query, {
    ids: rows
      .orderBy(
        orderBy(
          query.sort,
          { title: { notNull: sql`lower(courses.title)` } },
          { text: query.q, columns: ["courses.title"] },
        ),
      )
      .orderBy("catalogueOffers.id")
      .select("catalogueOffers.id"),
    total: rows.select((e) => e.fn.countAll<number>().as("total")),
    rows: async (ids) => (await readOffers(ids).execute(ctx.db)).rows,
  });
}

export async function getOffer(ctx: Scoped, id: string): Promise<Offer> {
  const { rows } = await readOffers([id]).execute(ctx.db);
  const [found] = rows;
  if (!found) throw notFound();
  return found;
}

/** Published courses by title, a bounded number: those not offered yet, or any as a prerequisite. */
export async function listChoices(ctx: Ctx<User>, companyId: string, query: QueryOf<typeof catalogue.choices>) {
  await checkCompany(ctx, companyId);
  let rows = ctx.db.selectFrom("courses").where("courses.status", "=", "published");
  if (query.q) rows = rows.where(searchFor(query.q, ["courses.title", "courses.code"]));
  if (query.isFor === "offer")
    rows = rows.where(
      sql<boolean>`not exists (
        select from catalogue_offers
        where company_id = ${companyId}
          and course_id = courses.id
          and removed_at is null
      )`,
    );
  const items = await rows
    .orderBy(sql`lower(courses.title)`)
    .orderBy("courses.id")
    .select(["courses.id", "courses.title", "courses.code"])
    .limit(CHOICES)
    .execute();
  return { items };
}
