import { sql } from "kysely";
import { claimNotice, mailManager, NOTICE_PAUSE } from "#server/catalogue/notices.ts";
import { inTransaction, repeatOnDeadlock } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";

type Manager = {
  id: string;
  companyId: string;
  name: string;
  email: string;
  company: string;
  color: string | null;
  requestIds: string[];
};

/** Managers who are told in one transaction. */
const BATCH = 20;

/**
 * Sends managers one email each about all requests of which they were not told, at most once a day. False if there is
 * nobody to tell now. Requests without a manager who has an address are on the page of the admins.
 */
export const notifyManagers = (services: Services) =>
  repeatOnDeadlock(() =>
    inTransaction(services.db, async (tx) => {
      const { rows } = await sql<Manager>`
        select contact.id, requests.company_id, contact.name, contact.email, companies.name as company,
          companies.color, array_agg(requests.id) as request_ids
        from catalogue_requests requests
        join managers on managers.user_id = requests.user_id
        join users contact on contact.id = managers.manager_id
          and contact.company_id = requests.company_id
          and contact.status = 'active'
          and contact.email is not null
        join companies on companies.id = requests.company_id
        where requests.status = 'open'
          and requests.told_at is null
          and not exists (
            select from catalogue_notices told
            where told.user_id = contact.id
              and told.kind = 'asked'
              and told.about = requests.company_id
              and told.sent_at >= now() - ${NOTICE_PAUSE}::interval
          )
        group by contact.id, requests.company_id, companies.id
        -- With the right to see their people.
        having exists (select from managers_in_place_of(contact.id))
        order by contact.id
        limit ${BATCH}`.execute(tx);
      for (const manager of rows) {
        if (!(await claimNotice(tx, manager.id, "asked", manager.companyId))) continue;
        await mailManager(services, tx, manager.companyId, manager, manager.requestIds.length);
        await sql`
          update catalogue_requests
          set told_at = now()
          where id = any(${manager.requestIds}::uuid[])`.execute(tx);
      }
      return rows.length === BATCH;
    }),
  );
