import { sql } from "kysely";
import type { Ctx } from "#server/core/http/http.ts";
import { orderBy, searchFor } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import { readVariable } from "#server/variables/definitionRows.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import type { variables } from "#shared/variables/variables.ts";

const RECENT_VALUES = 20;
const SCOPE = { company: "variableCurrent.companyId", person: "variableCurrent.userId" };

/** The current value of every subject of a variable. Values of sensitive variables are masked. */
export async function listSubjectValues(ctx: Ctx<User>, id: string, query: QueryOf<typeof variables.values>) {
  const variable = await readVariable(ctx, id);
  const filtered = () => {
    let rows = ctx.db
      .selectFrom("variableCurrent")
      .innerJoin("companies", "companies.id", "variableCurrent.companyId")
      .leftJoin("users", "users.id", "variableCurrent.userId")
      .where("variableId", "=", id)
      .where(inScope(ctx.user, SCOPE));
    if (query.companyId) rows = rows.where("variableCurrent.companyId", "=", query.companyId);
    if (query.q) rows = rows.where(searchFor(query.q, ["users.name", "users.email", "companies.name"]));
    return rows;
  };
  const { total } = await filtered()
    .select((e) => e.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const rows = await filtered()
    .select([
      "variableCurrent.subject",
      "variableCurrent.userId",
      sql<string>`coalesce(nullif(users.name, ''), users.email, companies.name)`.as("name"),
      "users.email",
      "variableCurrent.companyId",
      "companies.name as company",
      "variableCurrent.first",
      "variableCurrent.current",
      "variableCurrent.count",
      "variableCurrent.lastAt",
      sql<number[]>`array(
        select (stored.value #>> '{}')::double precision
        from variable_values stored
        where stored.variable_id = variable_current.variable_id
          and stored.user_id = variable_current.user_id
          and stored.refusal is null
          and stored.deletion_id is null
          and not stored.preview
          and jsonb_typeof(stored.value) = 'number'
        order by stored.id desc
        limit ${RECENT_VALUES}
      )`.as("recent"),
    ])
    .orderBy(
      orderBy(query.sort, {
        name: sql`lower(coalesce(nullif(users.name, ''), users.email, companies.name))`,
        value: sql`variable_current.number`,
        lastAt: sql`variable_current.last_at`,
      }),
    )
    .orderBy("variableCurrent.subject")
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .execute();
  const isMasked = variable.privacy === "sensitive";
  const items = rows.map((row) => ({
    ...row,
    recent: isMasked ? [] : row.recent.toReversed(),
    ...(isMasked && { first: null, current: null }),
  }));
  return { items, total };
}
