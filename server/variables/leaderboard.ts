import { sql } from "kysely";
import type { Ctx } from "#server/core/http/http.ts";
import { forbidden } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import { readVariable } from "#server/variables/definitionRows.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import type { variables } from "#shared/variables/variables.ts";

/** The most learners that a leaderboard names in all, and in one place. */
const LEADERS = 10;
const LEADERS_PER_PLACE = 3;

/** Learners by current value. Equal values share a place, and the next place counts everybody before it (1, 1, 3). */
export async function getLeaderboard(ctx: Ctx<User>, id: string, { companyId }: QueryOf<typeof variables.leaderboard>) {
  const variable = await readVariable(ctx, id);
  if (!variable.leaderboard || variable.privacy === "sensitive") throw forbidden();
  let best = ctx.db
    .selectFrom("variableCurrent")
    .where("variableId", "=", id)
    .where("userId", "is not", null)
    .where("number", "is not", null)
    .where(inScope(ctx.user, { company: "variableCurrent.companyId", person: "variableCurrent.userId" }));
  if (companyId) best = best.where("companyId", "=", companyId);
  const ofLearners = best
    .groupBy("userId")
    .select(["userId", sql<number>`max(number)`.as("value"), sql<number>`max(number - first_number)`.as("gain")]);
  const rows = await ctx.db
    .selectFrom(
      ctx.db
        .selectFrom(ofLearners.as("learner"))
        .select([
          "learner.userId",
          "learner.value",
          "learner.gain",
          sql<number>`rank() over (order by learner.value desc)::int`.as("place"),
          sql<number>`row_number() over (
            partition by learner.value
            order by learner.gain desc, learner.user_id
          )::int`.as("number"),
          sql<number>`count(*) over (partition by learner.value)::int`.as("sharing"),
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
