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

/** Requests that are read together. */
const BATCH = 500;

/**
 * Sends one manager an email about all requests of which they were not told, at most once a day. False if there is
 * nobody to tell now. Requests without a manager who has an address are on the page of the admins.
 */
export const notifyManagers = (services: Services) =>
  repeatOnDeadlock(() =>
    inTransaction(services.db, async (tx) => {
      const { rows } = await sql<Manager>`
        select contact.id, requests.company_id, contact.name, contact.email, companies.name as company,
          companies.color, array_agg(requests.id) as request_ids
        from (
          select id, user_id, company_id
          from catalogue_requests
          where status = 'open'
            and told_at is null
          limit ${BATCH}
        ) requests
        join users contact on contact.id = mail_manager_of(requests.user_id)
          and contact.company_id = requests.company_id
          and contact.status = 'active'
        join companies on companies.id = requests.company_id
        where not exists (
          select from catalogue_notices told
          where told.user_id = contact.id
            and told.kind = 'asked'
            and told.about = requests.company_id
            and told.sent_at >= now() - ${NOTICE_PAUSE}::interval
        )
        group by contact.id, requests.company_id, companies.id
        order by contact.id
        limit 1`.execute(tx);
      const [manager] = rows;
      if (!manager || !(await claimNotice(tx, manager.id, "asked", manager.companyId))) return false;
      await mailManager(services, tx, manager.companyId, manager, manager.requestIds.length);
      await sql`
        update catalogue_requests
        set told_at = now()
        where id = any(${manager.requestIds}::uuid[])`.execute(tx);
      return true;
    }),
  );
