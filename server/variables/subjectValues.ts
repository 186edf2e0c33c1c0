import { sql } from "kysely";
import type { Ctx } from "#server/core/http/http.ts";
import { orderBy, searchFor } from "#server/core/database/listing.ts";
import { forbidden } from "#server/core/http/problem.ts";
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
      sql<string>`coalesce(users.email, '')`.as("email"),
      "variableCurrent.companyId",
      "companies.name as company",
      "variableCurrent.first",
      "variableCurrent.current",
      "variableCurrent.count",
      "variableCurrent.lastAt",
      sql<number[]>`array(select (v.value #>> '{}')::double precision from variable_values v
        where v.variable_id = variable_current.variable_id and v.user_id = variable_current.user_id and v.refusal is null
          and v.deletion_id is null and not v.preview and jsonb_typeof(v.value) = 'number'
        order by v.id desc limit ${RECENT_VALUES})`.as("recent"),
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

/** The most learners that a leaderboard names, and how many of one place. */
const LEADERS = 10;
const LEADERS_PER_PLACE = 3;

/** Learners by current value. Equal values share a place, and the next one counts everybody before it (1, 1, 3). */
export async function getLeaderboard(ctx: Ctx<User>, id: string, { companyId }: QueryOf<typeof variables.leaderboard>) {
  const variable = await readVariable(ctx, id);
  if (!variable.leaderboard || variable.privacy === "sensitive") throw forbidden();
  let best = ctx.db
    .selectFrom("variableCurrent")
    .where("variableId", "=", id)
    .where("userId", "is not", null)
    .where("number", "is not", null)
    .where(inScope(ctx.user, SCOPE));
  if (companyId) best = best.where("companyId", "=", companyId);
  const ofLearners = best
    .groupBy("userId")
    .select(["userId", sql<number>`max(number)`.as("value"), sql<number>`max(number - first_number)`.as("gain")]);
  const rows = await ctx.db
    .selectFrom(
      ctx.db
        .selectFrom(ofLearners.as("l"))
        .select([
          "l.userId",
          "l.value",
          "l.gain",
          sql<number>`rank() over (order by l.value desc)::int`.as("place"),
          sql<number>`row_number() over (partition by l.value order by l.gain desc, l.user_id)::int`.as("number"),
          sql<number>`count(*) over (partition by l.value)::int`.as("sharing"),
        ])
        .as("ranked"),
    )
    .innerJoin("users", "users.id", "ranked.userId")
    .where("number", "<=", LEADERS_PER_PLACE)
    .orderBy("place")
    .orderBy("number")
    .limit(LEADERS)
    .select([
      "ranked.place",
      "ranked.value",
      "ranked.gain",
      "ranked.sharing",
      "users.id as userId",
      sql<string>`coalesce(nullif(users.name, ''), users.email)`.as("name"),
    ])
    .execute();
  const places = new Map(rows.map(({ place, sharing }) => [place, sharing]));
  const more = [...places].flatMap(([place, sharing]) => {
    const listed = rows.filter((row) => row.place === place).length;
    return sharing > listed ? { place, learners: sharing - listed } : [];
  });
  return { leaders: rows.map(({ sharing: _, ...leader }) => leader), more };
}
