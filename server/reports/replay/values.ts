import { type Expression, sql, type SqlBool } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { notFound } from "#server/core/http/problem.ts";
import type { replays } from "#shared/reports/replays.ts";
import type { Reply } from "#shared/core/route.ts";

/** The number of values of a page. */
const PAGE_VALUES = 2000;

/** Whether a value was set in a session, or by a conversation. */
export const ofSession = (id: string) => sql<boolean>`variable_values.session_id = ${id}`;
export const ofConversation = (id: string) =>
  sql<boolean>`variable_values.turn_id in (select turns.id from turns where turns.conversation_id = ${id})`;

/** Values as they were captured, without later corrections and deleted values. */
const capturedValues = (db: Db, condition: Expression<SqlBool>) =>
  db
    .selectFrom("variableValues")
    .innerJoin("variables", "variables.id", "variableValues.variableId")
    .where(condition)
    .where("variableValues.source", "not in", ["correction", "learner", "api"])
    .where("variableValues.deletionId", "is", null)
    .orderBy("variableValues.id");

/** One page of captured values; those of sensitive variables are masked. */
export async function readShownValues(
  db: Db,
  condition: Expression<SqlBool>,
  after: number,
): Promise<Reply<typeof replays.replayValues>> {
  const rows = await capturedValues(db, condition)
    .where("variableValues.id", ">", after)
    .limit(PAGE_VALUES + 1)
    .select([
      "variableValues.id",
      "variableId",
      "seq",
      "turnId",
      "source",
      "happenedAt",
      sql<never>`case when variables.privacy = 'sensitive' then null else variable_values.value end`.as("value"),
      "refusal",
      "isCorrected as corrected",
    ])
    .execute();
  const values = rows.slice(0, PAGE_VALUES);
  return { values, next: rows.length > PAGE_VALUES ? (values.at(-1)?.id ?? null) : null };
}

/** The captured values of one variable, not masked. */
export const readValuesOf = (db: Db, condition: Expression<SqlBool>, variableId: string) =>
  capturedValues(db, condition)
    .where("variableValues.variableId", "=", variableId)
    .select(["variableValues.id", "variableValues.value"])
    .execute();

/** What a replay shows of a variable, besides its key and its value at the start. */
export const variableColumns = [
  "variables.id",
  "variables.label",
  "variables.type",
  "variables.unit",
  "variables.writeMode",
  "variables.privacy",
] as const;

/** A sensitive variable, whose values are shown only for a reason; 404 for others. */
export const maskedVariable = (db: Db, id: string) =>
  db
    .selectFrom("variables")
    .where("id", "=", id)
    .where("privacy", "=", "sensitive")
    .select("key")
    .executeTakeFirstOrThrow(notFound);
