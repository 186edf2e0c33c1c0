import { sql } from "kysely";
import type { Ctx } from "#server/core/http/http.ts";
import { searchFor } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import type { variables } from "#shared/variables/variables.ts";
import { guessType } from "#shared/variables/valueRules.ts";
import { type VariableValue } from "#shared/variables/variableTypes.ts";

const SAMPLES = 5;
/** The number of latest values of a key from which the samples are taken. */
const SAMPLED_VALUES = 200;

/** Keys that content has sent and that have no definition, newest first, with sample values. */
export async function listNewKeys({ db, user }: Ctx<User>, query: QueryOf<typeof variables.newKeys>) {
  const filtered = () => {
    let rows = db
      .selectFrom("variables")
      .innerJoin("variableCourses", "variableCourses.variableId", "variables.id")
      .innerJoin("courses", "courses.id", "variableCourses.courseId")
      .where("variables.status", "=", "new");
    if (query.courseId) rows = rows.where("courses.id", "=", query.courseId);
    if (query.q) rows = rows.where(searchFor(query.q, ["variables.key", "courses.title"]));
    return rows;
  };
  const { total } = await filtered()
    .select((e) => e.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const rows = await filtered()
    .select([
      "variables.id",
      "variableCourses.key",
      "courses.id as courseId",
      "courses.title as course",
      "variables.createdAt as firstSeenAt",
      sql<number>`coalesce((
        select sum(accepted)
        from variable_totals
        where variable_totals.variable_id = variables.id
          and ${inScope(user, { company: "variable_totals.companyId" })}
      ), 0)::int`.as("values"),
      sql<VariableValue[]>`coalesce((
        with latest as (
          select value
          from variable_values
          where variable_values.variable_id = variables.id
            and deletion_id is null
            and ${inScope(user, { company: "variable_values.companyId" })}
          order by id desc
          limit ${SAMPLED_VALUES}
        ),
        samples as (
          select distinct value
          from latest
          limit ${SAMPLES}
        )
        select jsonb_agg(value)
        from samples
      ), '[]')`.as("samples"),
    ])
    .orderBy("variables.createdAt", "desc")
    .orderBy("variables.id")
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .execute();
  return { items: rows.map((row) => ({ ...row, type: guessCommonType(row.samples) })), total };
}

/** The type of all samples, or text if they differ. */
function guessCommonType(samples: VariableValue[]) {
  const types = new Set(samples.map(guessType));
  const [type] = types;
  return types.size === 1 && type ? type : "text";
}
