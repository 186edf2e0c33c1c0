import { sql } from "kysely";
import { readOffer } from "#server/catalogue/browse.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import { isLeftToRules } from "#server/courses/reasons.ts";
import { type CatalogueCourse, type CatalogueDetail, MAX_OUTLINE } from "#shared/catalogue/catalogue.ts";
import type { User } from "#shared/core/users.ts";

type Own = Omit<CatalogueDetail, keyof CatalogueCourse>;

/** SQL: the course of `mine` was never opened, nor completed before it opened again. */
const isUntouched = sql<boolean>`(
  mine.first_started_at is null
  and not exists (
    select from attempts
    where attempts.enrolment_id = mine.id
      and not attempts.preview
  )
  and not exists (
    select from enrolment_cycles
    where enrolment_cycles.enrolment_id = mine.id
  )
)`;

/** A course of the catalogue of one's company; 404 for any other, and for one that is not offered. */
export async function readDetail({ db, user }: Ctx<User>, id: string): Promise<CatalogueDetail> {
  const offer = await readOffer(db, user, id);
  if (!offer) throw notFound();
  const { rows } = await sql<Own>`
    select
      (
        select coalesce(
          jsonb_agg(jsonb_build_object('title', part ->> 'title', 'depth', (part ->> 'depth')::int) order by place),
          '[]'
        )
        from jsonb_array_elements(course_versions.parts) with ordinality parts (part, place)
        where place <= ${sql.lit(MAX_OUTLINE)}
          and part -> 'isHidden' is null
      ) as outline,
      case when request.status = 'waiting' then (
        select count(*)::int
        from catalogue_requests earlier
        where earlier.offer_id = ${id}
          and earlier.status = 'waiting'
          and (earlier.waiting_since, earlier.id) < (request.waiting_since, request.id)
      ) end as before,
      case when request.status in ('declined', 'enrolled') then request.reason else '' end as reason,
      coalesce(request.status = 'declined' and request.waiting_since is not null, false) as is_taken_off,
      coalesce(request.note, '') as note,
      coalesce(mine.status = 'assigned' and exists (
        select from enrolment_reasons
        where enrolment_reasons.enrolment_id = mine.id
          and enrolment_reasons.rule_id = ${id}
          and enrolment_reasons.kind = 'self'
          and enrolment_reasons.until is null
      ) and ${isUntouched}, false) as can_leave,
      exists (
        select from enrolment_reasons
        where enrolment_reasons.enrolment_id = mine.id
          and enrolment_reasons.kind <> 'self'
          and enrolment_reasons.until is null
      ) as is_kept,
      offers.removed_at is null and offers.is_visible and courses.status = 'published' as is_offered,
      offers.removed_at is null and courses.status <> 'published' as is_paused,
      offers.way,
      request.closed,
      coalesce(mine.is_withdrawn, false) as is_withdrawn,
      case when exists (select from request_managers(${user.id}, ${user.companyId})) then 'manager' else 'admin' end
        as answers
    from catalogue_offers offers
    join courses on courses.id = offers.course_id
    left join course_versions on course_versions.id = courses.live_version_id
    left join catalogue_requests request on request.offer_id = ${id} and request.user_id = ${user.id}
    left join lateral (
      select enrolments.id, enrolments.status, enrolments.first_started_at,
        enrolments.status = 'withdrawn' and not ${isLeftToRules} as is_withdrawn
      from enrolments
      where enrolments.user_id = ${user.id}
        and enrolments.course_id = courses.id
        and enrolments.company_id = ${user.companyId}
      order by enrolments.cycle desc
      limit 1
    ) mine on true
    where offers.id = ${id}`.execute(db);
  const own = rows[0] as Own;
  return { ...offer, ...own, outline: own.outline ?? [], can: own.isWithdrawn ? null : offer.can };
}
