import type { FastifyRequest } from "fastify";
import { type RawBuilder, sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { readPage } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import type { Services } from "#server/core/services.ts";
import { findCompany } from "#server/provisioning/findCompany.ts";
import type { Directory } from "#server/provisioning/scim/context.ts";
import { operations } from "#server/provisioning/scim/operations.ts";
import type { QueryOf } from "#shared/core/route.ts";
import { isUuid } from "#shared/core/uuid.ts";
import type { User } from "#shared/core/users.ts";
import { type provisioning, SCIM_PATH } from "#shared/provisioning/provisioning.ts";

const MAX_RESULT = 300;

/** What the addresses of SCIM begin with: nothing else of an address is recorded. */
const kinds = new Set(operations.map(({ path }) => path.split("/")[1]));

type Result = { status: number; result: string; id?: string };

/** Records a call without its values: the kind of resource, its id, and the result. */
export async function recordCall(
  { db, log }: Pick<Services, "db" | "log">,
  { companyId, keyId }: Directory,
  request: FastifyRequest,
  { status, result, id }: Result,
) {
  const { id: target = "", "*": rest } = request.params as { id?: string; "*"?: string };
  const [first = ""] = (rest ?? (request.routeOptions.url ?? "").slice(SCIM_PATH.length + 1)).split("/");
  const resource = kinds.has(first) ? first.replace(".", "") : "unknown";
  const named = id ?? target;
  const about = isUuid(named) ? named : null;
  try {
    await sql`
      insert into provisioning_calls (company_id, key_id, method, resource, person_id, group_id, status, result)
      values (
        ${companyId},
        (select id from provisioning_keys where id = ${keyId}),
        ${request.method},
        ${resource},
        (select id from users where id = ${resource === "Users" ? about : null} and company_id = ${companyId}),
        (select id from groups where id = ${resource === "Groups" ? about : null} and company_id = ${companyId}),
        ${status},
        ${result.slice(0, MAX_RESULT)}
      )`.execute(db);
  } catch (error) {
    // The change is committed, so the call is answered even if it could not be recorded.
    log.warn({ err: error }, "a call by SCIM was not recorded");
  }
}

/** The most calls of a company that are kept, and for how long. */
const KEPT_CALLS = 5000;
const KEPT_DAYS = 30;
/** Calls that are deleted in one statement. */
const BATCH = 5000;

export async function forgetCalls(db: Db) {
  while ((await forgetSome(db, sql`at < now() - make_interval(days => ${KEPT_DAYS})`)) === BATCH);
  const { rows } = await sql<{ companyId: string; last: string }>`
    select companies.id as company_id, beyond.id::text as last
    from companies
    cross join lateral (
      select calls.id
      from provisioning_calls calls
      where calls.company_id = companies.id
      order by calls.id desc
      offset ${KEPT_CALLS}
      limit 1
    ) beyond`.execute(db);
  for (const { companyId, last } of rows)
    while ((await forgetSome(db, sql`company_id = ${companyId} and id <= ${last}::bigint`)) === BATCH);
}

async function forgetSome(db: Db, condition: RawBuilder<unknown>) {
  const { numAffectedRows = 0n } = await sql`
    delete from provisioning_calls
    where id = any(array(
      select id
      from provisioning_calls
      where ${condition}
      limit ${BATCH}
    ))`.execute(db);
  return Number(numAffectedRows);
}

export async function listCalls(ctx: Ctx<User>, id: string, query: QueryOf<typeof provisioning.calls>) {
  const { db, user } = ctx;
  await findCompany(ctx, id);
  let rows = db
    .selectFrom("provisioningCalls")
    .where("provisioningCalls.companyId", "=", id)
    .where(inScope(user, { company: "provisioningCalls.companyId" }));
  if (query.result === "refused") rows = rows.where("provisioningCalls.status", ">=", 400);
  const { items, total } = await readPage(query, {
    ids: rows.orderBy("provisioningCalls.id", "desc").select(sql<string>`provisioning_calls.id::text`.as("id")),
    total: rows.select((e) => e.fn.countAll<number>().as("total")),
    rows: async (ids) => {
      const { rows: found } = await sql<{
        id: string;
        at: string;
        key: string | null;
        method: string;
        resource: string;
        personId: string | null;
        person: string | null;
        groupId: string | null;
        group: string | null;
        status: number;
        result: string;
      }>`
        select calls.id::text as id,
          calls.at,
          provisioning_keys.name as key,
          calls.method,
          calls.resource,
          users.id as person_id,
          coalesce(nullif(users.name, ''), users.email) as person,
          groups.id as group_id,
          groups.name as "group",
          calls.status,
          calls.result
        from provisioning_calls calls
        left join provisioning_keys on provisioning_keys.id = calls.key_id
        left join users on users.id = calls.person_id
          and users.company_id = calls.company_id
        left join groups on groups.id = calls.group_id
          and groups.company_id = calls.company_id
        where calls.id = any(${ids}::bigint[])
          and calls.company_id = ${id}`.execute(db);
      return found;
    },
  });
  return { items: items.map((row) => ({ ...row, id: Number(row.id) })), total };
}
