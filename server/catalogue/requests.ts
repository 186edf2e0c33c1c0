import { sql } from "kysely";
import { checkCompany, type Scoped } from "#server/catalogue/offerRows.ts";
import type { Db } from "#server/core/database/db.ts";
import { isOneOf, orderBy, readPage, searchFor } from "#server/core/database/listing.ts";
import { personnelNumber } from "#server/core/database/personnelNumber.ts";
import { inScope } from "#server/core/database/scope.ts";
import { exportRows, readRows } from "#server/core/export/exportRows.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import { peopleOf } from "#server/managers/scope.ts";
import {
  type catalogue,
  type CatalogueRequest,
  MAX_TEAM_REQUESTS,
  type ShownStatus,
  type TeamRequest,
} from "#shared/catalogue/catalogue.ts";
import { catalogueFileColumns, type CatalogueLine } from "#shared/catalogue/catalogueFile.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

type Filter = Omit<QueryOf<typeof catalogue.export>, "format">;

/** SQL: the reasons "self" of a request's person and offer, with `enrolments` and `enrolment_reasons`. */
const takenBy = sql`
  from enrolments
  join enrolment_reasons on enrolment_reasons.enrolment_id = enrolments.id
  where enrolments.user_id = catalogue_requests.user_id
    -- Not equations: only the enrolments of the person are to be read, whatever statistics say.
    and enrolments.company_id is not distinct from catalogue_requests.company_id
    and enrolment_reasons.rule_id is not distinct from catalogue_requests.offer_id
    and enrolment_reasons.kind = 'self'`;

/** SQL: the person no longer has the course by this offer. */
const isOver = sql<boolean>`(
  catalogue_requests.status = 'enrolled'
  and not exists (
    select
    ${takenBy}
      and enrolments.status <> 'withdrawn'
      and enrolment_reasons.until is null
  )
)`;

/**
 * SQL: `taken` if an admin has withdrawn the course, `ended` if the person does not have it for another reason, and
 * `takenOff` if an admin has taken them off the waiting list.
 */
const shownStatus = sql<ShownStatus>`case
    when catalogue_requests.status = 'declined' and catalogue_requests.waiting_since is not null then 'takenOff'
    when not ${isOver} then catalogue_requests.status
    when (
      select enrolment_reasons.ended
      ${takenBy}
      order by enrolment_reasons.until desc nulls first, enrolment_reasons.id desc
      limit 1
    ) = 'withdrawn' then 'taken'
    else 'ended'
  end`;

/** SQL: the address, unless the person is in another company now. */
const emailInCompany = sql<string | null>`case
    when users.company_id = catalogue_requests.company_id then users.email
  end`;

function filterRequests({ db, user }: Scoped, companyId: string, query: Filter) {
  let rows = db
    .selectFrom("catalogueRequests")
    .where("catalogueRequests.companyId", "=", companyId)
    .where(inScope(user, { company: "catalogueRequests.companyId" }));
  if (query.status) rows = rows.where("catalogueRequests.status", "=", query.status);
  if (query.status === "enrolled") rows = rows.where(sql<boolean>`not ${isOver}`);
  if (query.offerId) rows = rows.where("catalogueRequests.offerId", "=", query.offerId);
  if (query.unmanaged)
    rows = rows.where(
      sql<boolean>`(
        -- Most often the manager can answer, which takes no search for each person.
        coalesce((
          select managers.manager_id
          from managers
          where managers.user_id = catalogue_requests.user_id
            and managers.company_id = catalogue_requests.company_id
        ) <> all(array(
          select manager_id
          from (select distinct manager_id from managers where company_id = ${companyId}) able
          where manager_id in (select managers_in_place_of(manager_id))
        )), true)
        and not exists (select from request_managers(catalogue_requests.user_id, catalogue_requests.company_id))
      )`,
    );
  if (!query.q) return rows;
  // Few words are in no name, so all requests of the company are read: by one pass over people and courses.
  return rows
    .innerJoin("users", "users.id", "catalogueRequests.userId")
    .innerJoin("catalogueOffers", "catalogueOffers.id", "catalogueRequests.offerId")
    .innerJoin("courses", "courses.id", "catalogueOffers.courseId")
    .where(searchFor(query.q, ["users.name", emailInCompany, "courses.title"])) as typeof rows;
}

/** SQL: the personnel number in the company of the request; the person may be in another one now. */
const numberInCompany = sql<string | null>`(
  select personnel_numbers.number
  from personnel_numbers
  where personnel_numbers.user_id = catalogue_requests.user_id
    and personnel_numbers.company_id = catalogue_requests.company_id
)`;

/** SQL: the person who can answer a request, or the manager in its company if it is over. */
const manager = sql<string | null>`case
    when catalogue_requests.status = 'open' then (
      select coalesce(nullif(leader.name, ''), leader.email)
      from request_managers(catalogue_requests.user_id, catalogue_requests.company_id) answering
      join users leader on leader.id = answering.user_id
      order by answering.step, answering.is_deputy, leader.id
      limit 1
    )
    else (
      select coalesce(nullif(leader.name, ''), leader.email)
      from managers
      join users leader on leader.id = managers.manager_id
      where managers.user_id = catalogue_requests.user_id
        and managers.company_id = catalogue_requests.company_id
    )
  end`;

const joinRequests = (db: Db) =>
  db
    .selectFrom("catalogueRequests")
    .innerJoin("users", "users.id", "catalogueRequests.userId")
    .innerJoin("catalogueOffers", "catalogueOffers.id", "catalogueRequests.offerId")
    .innerJoin("courses", "courses.id", "catalogueOffers.courseId")
    .leftJoin("users as decider", "decider.id", "catalogueRequests.decidedBy");

const requestColumns = (rows: ReturnType<typeof joinRequests>) =>
  rows
    .select([
      "catalogueRequests.id",
      "catalogueRequests.userId",
      "users.name",
      emailInCompany.as("email"),
      numberInCompany.as("personnelNumber"),
      "catalogueOffers.courseId",
      "courses.title as course",
      shownStatus.as("status"),
      "catalogueRequests.note",
      "catalogueRequests.reason",
      "catalogueRequests.priceMinor",
      "catalogueRequests.currency",
      "catalogueRequests.costCentre",
      "catalogueRequests.askedAt",
      "catalogueRequests.waitingSince",
      "catalogueRequests.decidedAt",
      sql<string | null>`coalesce(nullif(decider.name, ''), decider.email)`.as("decidedBy"),
      "catalogueRequests.closed",
      manager.as("manager"),
    ])
    .$castTo<CatalogueRequest>();

export async function listRequests(ctx: Ctx<User>, companyId: string, query: QueryOf<typeof catalogue.requests>) {
  await checkCompany(ctx, companyId);
  const matching = filterRequests(ctx, companyId, query);
  return readPage(query, {
    ids: matching
      .orderBy(orderBy(query.sort, { asked: { notNull: sql`catalogue_requests.asked_at` } }))
      .orderBy("catalogueRequests.id")
      .select("catalogueRequests.id"),
    total: matching.select((e) => e.fn.countAll<number>().as("total")),
    rows: (ids) => requestColumns(joinRequests(ctx.db).where(isOneOf("catalogueRequests.id", ids))).execute(),
  });
}

/** One request of a company in the scope of the user; 404 for any other. */
export const getRequest = ({ db, user }: Scoped, id: string) =>
  requestColumns(
    joinRequests(db)
      .where("catalogueRequests.id", "=", id)
      .where(inScope(user, { company: "catalogueRequests.companyId" })),
  ).executeTakeFirstOrThrow(notFound);

/** Requests and enrolments with price and cost centre, a row each. */
export async function exportRequests(
  ctx: Ctx<User>,
  companyId: string,
  { format, ...query }: QueryOf<typeof catalogue.export>,
) {
  await checkCompany(ctx, companyId);
  const matching = filterRequests(ctx, companyId, query);
  const { total } = await matching.select((e) => e.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = readRows(
    ctx,
    requestColumns(joinRequests(ctx.db))
      .where("catalogueRequests.id", "in", matching.select("catalogueRequests.id"))
      .select("courses.code")
      .orderBy("catalogueRequests.askedAt")
      .orderBy("catalogueRequests.id")
      .$castTo<CatalogueLine>(),
  );
  return exportRows("catalogue", format, rows, catalogueFileColumns, total);
}

/** Requests of the people whom the caller leads now, for courses that they can get. */
export async function listTeamRequests({ db, user }: Ctx<User>) {
  const { rows } = await sql<TeamRequest & { total: number }>`
    select requests.id, requests.user_id, users.name, users.email, ${personnelNumber} as personnel_number,
      offers.course_id, courses.title as course, requests.note, requests.price_minor, requests.currency,
      requests.cost_centre, requests.asked_at, count(*) over ()::int as total
    from ${peopleOf(user)} people
    join catalogue_requests requests on requests.user_id = people.user_id
      and requests.company_id = ${user.companyId}
      and requests.status = 'open'
    join users on users.id = requests.user_id
    join catalogue_offers offers on offers.id = requests.offer_id
    join courses on courses.id = offers.course_id
      and courses.status = 'published'
    order by requests.asked_at, requests.id
    limit ${MAX_TEAM_REQUESTS}`.execute(db);
  return { items: rows, total: rows[0]?.total ?? 0 };
}
