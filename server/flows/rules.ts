import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { badField, conflict, forbidden, notFound } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import { type FlowInput, MAX_FLOWS } from "#shared/flows/flows.ts";
import { scopeOf, type User } from "#shared/core/users.ts";

/** Serialises changes of flows, so that two admins cannot create a circle together. */
export const lockFlows = (tx: Tx) => sql`select pg_advisory_xact_lock(hashtextextended('flows', 0))`.execute(tx);

const readVariable = (tx: Tx, id: string) =>
  tx
    .selectFrom("variables")
    .where("id", "=", id)
    .where("status", "in", ["active", "archived"])
    .select(["id", "status", "scope", "privacy", "label"])
    .executeTakeFirstOrThrow(notFound);

/** Throws if the flow must not exist. The transaction must hold `lockFlows`. */
export async function checkFlow(
  tx: Tx,
  user: User,
  { sourceVariableId, target }: Pick<FlowInput, "sourceVariableId" | "target">,
) {
  const source = await readVariable(tx, sourceVariableId);
  if (source.status === "archived") throw badField("sourceVariableId", "flows.archived");
  const { count } = await tx
    .selectFrom("flows")
    .select((e) => e.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  if (count >= MAX_FLOWS) throw conflict("flows.tooMany", undefined, { count: MAX_FLOWS });
  if (target.kind === "webhook") {
    // Sensitive values must not leave the academy.
    if (source.privacy === "sensitive") throw badField("sourceVariableId", "flows.sensitive");
    await tx
      .selectFrom("webhooks")
      .where("id", "=", target.webhookId)
      .where(inScope(user, { company: "companyId" }))
      .select("id")
      .executeTakeFirstOrThrow(notFound);
    const same = await tx
      .selectFrom("flows")
      .where("sourceVariableId", "=", sourceVariableId)
      .where("targetWebhookId", "=", target.webhookId)
      .select("id")
      .executeTakeFirst();
    if (same) throw conflict("flows.exists");
    return;
  }
  // A flow between variables changes the values of every company.
  if (scopeOf(user).kind !== "academy") throw forbidden();
  const goal = await readVariable(tx, target.variableId);
  if (goal.status === "archived") throw badField("target.variableId", "flows.archived");
  if (goal.scope === "attempt") throw badField("target.variableId", "flows.ofAttempt");
  if (goal.scope !== "company" && source.scope === "company") throw badField("target.variableId", "flows.fromCompany");
  // A sensitive value stays sensitive: its copy must be masked, too.
  if (source.privacy === "sensitive" && goal.privacy !== "sensitive")
    throw badField("target.variableId", "flows.lessPrivate");
  const taken = await tx
    .selectFrom("flows")
    .innerJoin("variables", "variables.id", "flows.sourceVariableId")
    .where("targetVariableId", "=", target.variableId)
    .select("variables.label")
    .executeTakeFirst();
  if (taken) throw conflict("flows.taken", undefined, { source: taken.label });
  if (await reaches(tx, target.variableId, sourceVariableId)) throw conflict("flows.circle");
}

/** Whether values of a variable reach another one over any number of flows; also true for the same variable. */
async function reaches(tx: Tx, from: string, to: string) {
  const { rows } = await sql<{ isReached: boolean }>`
    with recursive reached (id) as (
      select ${from}::uuid
      union
      select flows.target_variable_id
      from flows
      join reached on flows.source_variable_id = reached.id
      where flows.target_variable_id is not null
    )
    select exists (select from reached where id = ${to}) as is_reached`.execute(tx);
  return rows[0]?.isReached ?? false;
}
