import type { Db, Tx } from "#server/core/database/db.ts";
import type { Agent, Statement, StoredStatement } from "#shared/statements/xapi.ts";
import type { ClientScope } from "#shared/statements/statements.ts";

/** Who calls the record store: a key of a company, or a course that was launched by a learner. */
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
  /** The actor of its statements, and the agent of its documents. */
  agent: Agent;
  /** The id of its activity. */
  activityId: string;
  registration: string;
};

/** A document that is read or changed. */
export type DocumentAccess = {
  method: "GET" | "PUT" | "POST" | "DELETE";
  kind: "state" | "activity" | "agent";
  activityId: string | null;
  agent: Agent | null;
  registration: string | null;
  /** Null: the list of documents, or all of them. */
  documentId: string | null;
};

/** Why a hook refuses a request. */
export type Refusal = { status: 400 | 403; message: string };

/**
 * What the record store on the content origin asks about launches. Hooks run in the transaction of the write; they wait
 * for nothing but statements of that transaction. A refusal or an error undoes the write.
 */
export type LaunchClients = {
  find: (db: Db, userName: string, password: string) => Promise<LaunchClient | null>;
  /** Before statements are stored; they have passed validation, and repetitions are left out. */
  beforeStatements: (tx: Tx, client: LaunchClient, statements: Statement[]) => Promise<Refusal | null>;
  /** Returns what follows once the transaction has ended, if anything does. */
  afterStatements: (tx: Tx, client: LaunchClient, statements: StoredStatement[]) => Promise<(() => void) | null>;
  /** Before a document is read or changed; for reads `tx` is the database. */
  beforeDocument: (tx: Db, client: LaunchClient, access: DocumentAccess) => Promise<Refusal | null>;
};

/** Where no course can be launched. */
export const noLaunches: LaunchClients = {
  find: async () => null,
  beforeStatements: async () => null,
  afterStatements: async () => null,
  beforeDocument: async () => null,
};
