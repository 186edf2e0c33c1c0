import type { Tx } from "#server/core/database/db.ts";
import { storeDocument } from "#server/statements/documents.ts";
import { addStatements } from "#server/statements/store.ts";
import { checkStatement } from "#server/statements/validation/statement.ts";
import type { Agent, Statement } from "#shared/statements/xapi.ts";

// What the server itself writes into the record store of a company: it launches courses, and judges them.

/** The agent as which the server speaks. */
export const platformAgent = (publicUrl: string): Agent => ({
  objectType: "Agent",
  name: "Lyceum",
  account: { homePage: publicUrl, name: "lyceum" },
});

/** Stores statements that the server makes, under its authority. Returns their ids. */
export const storeStatements = (
  tx: Tx,
  companyId: string,
  statements: Statement[],
  { publicUrl, ...of }: { publicUrl: string; userId?: string; sessionId?: string; attemptId?: string },
) =>
  addStatements(
    tx,
    { publicUrl },
    companyId,
    statements.map((statement) => checkStatement(statement, "1.0.3")),
    { ...of, authority: platformAgent(publicUrl), defines: true },
  );

/** Stores a document of the state of an activity, in place of one with its id. */
export const putDocument = (
  tx: Tx,
  companyId: string,
  {
    documentId,
    contentType,
    bytes,
    userId,
    ...of
  }: {
    kind: "state";
    activityId: string;
    agent: Agent;
    registration: string;
    documentId: string;
    contentType: string;
    bytes: Buffer;
    userId: string;
  },
) => storeDocument(tx, { companyId, ...of, documentId }, { contentType, bytes, userId });
