import { sql } from "kysely";
import { claimNotice, mailManager } from "#server/catalogue/notices.ts";
import { inTransaction, repeatOnDeadlock, type Tx } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";
import { notify } from "#server/notifications/notify.ts";

type Open = {
  id: string;
  companyId: string;
  company: string;
  color: string | null;
  toldTo: string | null;
  toldAdmins: boolean;
  /** The nearest person who can answer and has an address; a deputy before the manager who is away. */
  managerId: string | null;
  name: string;
  email: string;
};

/** Requests that are looked at in one transaction. */
const BATCH = 100;
/** Until a request is looked at again: another person may be able to answer it. */
const LOOK_PAUSE = "10 minutes";

/**
 * Notifies the people who can answer open requests: a manager by at most one email a day about all of their requests,
 * or the admins of the company if no manager can be reached. Nobody is notified of the same request twice. Returns true
 * if requests are left for another run.
 */
export const tellOfRequests = (services: Services) =>
  repeatOnDeadlock(() =>
    inTransaction(services.db, async (tx) => {
      const { rows } = await sql<Open>`
        with looked as (
          select requests.id
          from catalogue_requests requests
          join companies on companies.id = requests.company_id
            and companies.status = 'active'
          join catalogue_offers offers on offers.id = requests.offer_id
          join courses on courses.id = offers.course_id
            and courses.status = 'published'
          where requests.status = 'open'
            and (requests.looked_at is null or requests.looked_at < now() - ${LOOK_PAUSE}::interval)
          order by requests.looked_at nulls first, requests.id
          limit ${BATCH}
          for no key update of requests skip locked
        )
        update catalogue_requests requests
        set looked_at = now()
        from looked
        join catalogue_requests mine on mine.id = looked.id
        join companies on companies.id = mine.company_id
        left join lateral (
          select contact.id, contact.name, contact.email
          from request_managers(mine.user_id, mine.company_id) answering
          join users contact on contact.id = answering.user_id
            and contact.email is not null
          order by answering.step, answering.is_deputy desc, contact.id
          limit 1
        ) contact on true
        where requests.id = looked.id
        returning requests.id, requests.company_id, companies.name as company, companies.color, requests.told_to,
          requests.told_admins, contact.id as manager_id, contact.name, contact.email`.execute(tx);
      const ofManagers = rows.filter(({ managerId, toldTo }) => managerId !== null && managerId !== toldTo);
      const byManager = Map.groupBy(ofManagers, ({ managerId }) => managerId as string);
      for (const managerId of [...byManager.keys()].toSorted())
        await tellManager(services, tx, managerId, byManager.get(managerId) as Open[]);
      const ofAdmins = rows.filter(({ managerId, toldAdmins }) => !managerId && !toldAdmins);
      for (const requests of Map.groupBy(ofAdmins, ({ companyId }) => companyId).values())
        await tellAdmins(services, tx, requests);
      return rows.length === BATCH;
    }),
  );

async function tellManager(services: Services, tx: Tx, managerId: string, requests: Open[]) {
  const [{ companyId, company, color, name, email }] = requests as [Open];
  if (!(await claimNotice(tx, managerId, "asked", companyId))) return;
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from people_of(${managerId}) people
    join catalogue_requests on catalogue_requests.user_id = people.user_id
      and catalogue_requests.company_id = ${companyId}
      and catalogue_requests.status = 'open'
    join catalogue_offers offers on offers.id = catalogue_requests.offer_id
    join courses on courses.id = offers.course_id
      and courses.status = 'published'`.execute(tx);
  await mailManager(services, tx, companyId, { id: managerId, name, email, company, color }, rows[0]?.count ?? 0);
  await storeTold(tx, requests, managerId);
}

async function tellAdmins(services: Services, tx: Tx, requests: Open[]) {
  const [{ companyId, company }] = requests as [Open];
  const key = `catalogueRequests:${companyId}:${new Date().toISOString().slice(0, 10)}`;
  const told = await tx.selectFrom("notifications").where("key", "=", key).select("id").limit(1).execute();
  if (told.length > 0) return;
  await notify(services, tx, {
    to: "admins",
    companyId,
    kind: "catalogueRequests",
    params: { company },
    link: `/companies/${companyId}/catalogue?tab=requests`,
    key,
  });
  await storeTold(tx, requests, null);
}

const storeTold = (tx: Tx, requests: Open[], to: string | null) =>
  sql`
    update catalogue_requests
    set told_to = ${to}, told_admins = ${to === null}, told_at = now()
    where id = any(${requests.map(({ id }) => id)}::uuid[])`.execute(tx);
