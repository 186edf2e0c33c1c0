import type { Db, Tx } from "#server/core/database/db.ts";
import type { Agent, Statement, StoredStatement } from "#shared/statements/xapi.ts";
import type { ClientScope } from "#shared/statements/statements.ts";

/** A caller of the record store: a company's key, or a course that a learner has launched. */
export type RecordStoreClient = KeyClient | LaunchClient;

export type KeyClient = {
  kind: "key";
  companyId: string;
  clientId: string;
  userName: string;
  scopes: ClientScope[];
};

export type LaunchClient = {
  kind: "launch";
  companyId: string;
  userId: string;
  sessionId: string;
  attemptId: string;
  /** The actor of its statements and the agent of its documents. */
  agent: Agent;
  activityId: string;
  registration: string;
};

/** Access to a document. */
export type DocumentAccess = {
  method: "GET" | "PUT" | "POST" | "DELETE";
  kind: "state" | "activity" | "agent";
  activityId: string | null;
  agent: Agent | null;
  registration: string | null;
  /** Null for the list of documents, or for all. */
  documentId: string | null;
};

export type Refusal = { status: 400 | 403; message: string };

/**
 * Hooks by which the record store on the content origin treats launches. They run in the transaction of the write and
 * wait for nothing outside it. A refusal or an error undoes the write.
 */
export type LaunchClients = {
  find: (db: Db, userName: string, password: string) => Promise<LaunchClient | null>;
  /** Before storing; the statements are valid and new. */
  beforeStatements: (tx: Tx, client: LaunchClient, statements: Statement[]) => Promise<Refusal | null>;
  /** Returns what to do after the commit, if anything. */
  afterStatements: (tx: Tx, client: LaunchClient, statements: StoredStatement[]) => Promise<(() => void) | null>;
  /** For reads, `tx` is the database. */
  beforeDocument: (tx: Db, client: LaunchClient, access: DocumentAccess) => Promise<Refusal | null>;
};

/** For an origin without launches. */
export const noLaunches: LaunchClients = {
  find: async () => null,
  beforeStatements: async () => null,
  afterStatements: async () => null,
  beforeDocument: async () => null,
};
