import { sql } from "kysely";
import type { Ctx } from "#server/core/http/http.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import { listSmallestGroups } from "#server/core/database/measured.ts";
import { readTallies, readVariable } from "#server/variables/definitionRows.ts";
import { createDistribution, medianOf, quantileOf, type Tally, topOf } from "#server/variables/distributions.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import { type Variable, type variables } from "#shared/variables/variables.ts";
import { MIN_GROUP } from "#shared/core/smallGroups.ts";
import type { VariableStatistics } from "#shared/variables/variableFigures.ts";
import type { VariableType } from "#shared/variables/variableTypes.ts";

const CURRENT_SCOPE = { company: "variableCurrent.companyId" };

/** Statistics of the current values in the scope of the user. Sensitive variables have counts only. */
export async function getStatistics(
  ctx: Ctx<User>,
  id: string,
  { companyId }: QueryOf<typeof variables.statistics>,
): Promise<VariableStatistics> {
  const variable = await readVariable(ctx, id);
  const totals = await readTotals(ctx, id, companyId);
  const none = { current: null, first: null, mean: null, median: null, quartiles: null, min: null, max: null };
  const empty = { ...totals, ...none, firstMean: null, repeated: 0, improved: 0 };
  if (variable.privacy === "sensitive") return empty;
  const tallies = (await readTallies(ctx, [id], companyId)).get(id) ?? [];
  const measured = await readMeasures(ctx, id, companyId);
  return {
    ...empty,
    ...measured,
    median: medianOf(tallies),
    quartiles: quartilesOf(tallies),
    current: createDistribution(variable, tallies),
    first:
      measured.repeated > 0 ? createDistribution(variable, await readFirstTallies(ctx, variable, companyId)) : null,
  };
}

function quartilesOf(tallies: Tally[]): [number, number] | null {
  const [low, high] = [quantileOf(tallies, 0.25), quantileOf(tallies, 0.75)];
  return low === null || high === null ? null : [low, high];
}

async function readTotals({ db, user }: Ctx<User>, id: string, companyId: string | undefined) {
  let query = db
    .selectFrom("variableTotals")
    .where("variableId", "=", id)
    .where(inScope(user, { company: "variableTotals.companyId" }));
  if (companyId) query = query.where("companyId", "=", companyId);
  return query
    .select([
      sql<number>`coalesce(sum(subjects), 0)::int`.as("subjects"),
      sql<number>`coalesce(sum(learners), 0)::int`.as("learners"),
      sql<number>`coalesce(sum(accepted), 0)::int`.as("values"),
      sql<number>`coalesce(sum(refused), 0)::int`.as("refused"),
    ])
    .executeTakeFirstOrThrow();
}

const selectCurrent = ({ db, user }: Ctx<User>, id: string, companyId: string | undefined) => {
  const rows = db.selectFrom("variableCurrent").where("variableId", "=", id).where(inScope(user, CURRENT_SCOPE));
  return companyId ? rows.where("companyId", "=", companyId) : rows;
};

const readMeasures = (ctx: Ctx<User>, id: string, companyId: string | undefined) =>
  selectCurrent(ctx, id, companyId)
    .select([
      sql<number | null>`avg(number)`.as("mean"),
      sql<number | null>`min(number)`.as("min"),
      sql<number | null>`max(number)`.as("max"),
      sql<number | null>`avg(first_number)`.as("firstMean"),
      sql<number>`count(*) filter (where count > 1)::int`.as("repeated"),
      sql<number>`count(*) filter (where number > first_number)::int`.as("improved"),
    ])
    .executeTakeFirstOrThrow();

/** The tallies of the first values of subjects. */
async function readFirstTallies(
  ctx: Ctx<User>,
  { id, type }: Variable,
  companyId: string | undefined,
): Promise<Tally[]> {
  if (type === "text" || type === "json" || type === "multi") return [];
  return selectCurrent(ctx, id, companyId)
    .groupBy(["first", "firstNumber"])
    .select([sql<string>`first #>> '{}'`.as("label"), "firstNumber as number", sql<number>`count(*)::int`.as("count")])
    .execute();
}

/**
 * Companies by number of subjects. Those with fewer learners than their smallest group have no figures, which would
 * reveal people.
 */
export async function listCompanyValues(ctx: Ctx<User>, id: string, query: QueryOf<typeof variables.companies>) {
  const variable = await readVariable(ctx, id);
  const rows = ctx.db
    .selectFrom("variableTotals")
    .innerJoin("companies", "companies.id", "variableTotals.companyId")
    .where("variableId", "=", id)
    .where("subjects", ">", 0)
    .where(inScope(ctx.user, { company: "variableTotals.companyId" }));
  const { total } = await rows.select((e) => e.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const companies = await rows
    .select(["variableTotals.companyId", "companies.name as company", "learners", "subjects"])
    .orderBy("subjects", "desc")
    .orderBy(sql`lower(companies.name)`)
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .execute();
  const tallies = await readCompanyTallies(
    ctx,
    id,
    companies.map(({ companyId }) => companyId),
  );
  const smallest = await listSmallestGroups(
    ctx.db,
    companies.map(({ companyId }) => companyId),
  );
  const items = companies.map(({ subjects, ...company }) => {
    const ofCompany = tallies.get(company.companyId) ?? [];
    const isShown =
      company.learners >= (smallest.get(company.companyId) ?? MIN_GROUP) && variable.privacy !== "sensitive";
    const hasTop = isShown && !isMeasured(variable.type);
    return {
      ...company,
      median: isShown ? medianOf(ofCompany) : null,
      quartiles: isShown ? quartilesOf(ofCompany) : null,
      top: hasTop ? topOf(ofCompany, subjects) : null,
    };
  });
  return { items, total };
}

const isMeasured = (type: VariableType) => type === "number" || type === "duration";

async function readCompanyTallies({ db }: Ctx<User>, id: string, companyIds: string[]) {
  const rows = await db
    .selectFrom("variableTallies")
    .where("variableId", "=", id)
    .where(isOneOf("companyId", companyIds))
    .select(["companyId", "label", "number", "count"])
    .execute();
  return Map.groupBy(rows, ({ companyId }) => companyId) as Map<string, (Tally & { companyId: string })[]>;
}
