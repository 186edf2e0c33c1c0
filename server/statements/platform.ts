import type { Tx } from "#server/core/database/db.ts";
import { storeDocument } from "#server/statements/documents.ts";
import { addStatements } from "#server/statements/store.ts";
import { checkStatement } from "#server/statements/validation/statement.ts";
import type { Agent, Statement } from "#shared/statements/xapi.ts";

// What the server itself writes into a record store, because it launches and judges courses.

/** The server as an agent. */
export const platformAgent = (publicUrl: string): Agent => ({
  objectType: "Agent",
  name: "Lyceum",
  account: { homePage: publicUrl, name: "lyceum" },
});

/** Stores statements under the authority of the server. Returns their ids. */
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

/** Stores a state document, replacing one with the same id. */
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
