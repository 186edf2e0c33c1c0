import { z } from "zod";
import { defineContracts, get, KIB, listQuery, MIB, page, post } from "#shared/core/route.ts";
import { isAdmin, withReauth } from "#shared/core/users.ts";
import {
  MAX_REASON_CHARS,
  MIN_REASON_CHARS,
  statementDetail,
  statementEntry,
  statementFilter,
  statementVerb,
} from "#shared/statements/statementEntries.ts";

// The record store (xAPI 1.0.3 and 2.0): what admins manage of it. Statements themselves are sent to /xapi.

/** Where the record store is, on both origins. */
export const RECORD_STORE_PATH = "/xapi";

/** What a key may do; the names are those of xAPI 1.0.3 (Communication 4.2), where it has them. */
export const clientScope = z.enum([
  "statements/write",
  "statements/read",
  "statements/read/mine",
  "state",
  "profile",
  "all/read",
  "all",
]);
export type ClientScope = z.infer<typeof clientScope>;

/** Requests per minute of one key on one node. */
export const CLIENT_REQUESTS_PER_MINUTE = 12_000;

/** Bounds of what the store accepts, in bytes unless it says otherwise. */
export const storeLimits = {
  body: 4 * MIB,
  /** A request with attachments, all of them together. */
  multipart: 16 * MIB,
  statement: 512 * KIB,
  /** Statements in one request. */
  statements: 500,
  attachments: 64,
  document: 2 * MIB,
  /** Characters of an identifier: IRI, name of an account, id of a document. */
  identifier: 2048,
  documentId: 512,
  /** All documents that courses store for one learner. */
  documentsOfLearner: 64 * MIB,
  /** All attachments that a course stores in one attempt. */
  attachmentsOfAttempt: 64 * MIB,
  /** Documents that one agent has of one activity. */
  documents: 500,
  /** Members of one group. */
  members: 1000,
  /** Statements in one answer, and their bytes. */
  page: 500,
  pageBytes: 8 * MIB,
} as const;

export const clientInput = z.object({
  name: z.string().trim().min(1).max(120),
  companyId: z.uuid(),
  scopes: z
    .array(clientScope)
    .min(1)
    .transform((scopes) => [...new Set(scopes)]),
});
export type ClientInput = z.input<typeof clientInput>;

export const statementClient = z.object({
  id: z.uuid(),
  name: z.string(),
  userName: z.string(),
  scopes: z.array(clientScope),
  companyId: z.uuid(),
  company: z.string(),
  createdAt: z.string(),
  /** Null after the admin was erased. */
  createdBy: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
  isRevoked: z.boolean(),
});
export type StatementClient = z.infer<typeof statementClient>;

export const canReadStatements = isAdmin;
export const canVoidStatements = isAdmin;
export const canReadClients = isAdmin;
export const canManageClients = withReauth(isAdmin);

const positionParams = z.object({ position: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) });

export const statements = defineContracts("statements", {
  list: get("/api/statements", {
    does: "List the statements of the record store, the newest first, without what they say in full",
    query: listQuery.omit({ sort: true, q: true }).extend(statementFilter.shape),
    /** `isMore`: counting stopped at `total`, and there are more statements. */
    reply: page(statementEntry).extend({ isMore: z.boolean() }),
  }),
  get: get("/api/statements/:position", {
    does: "Read a statement of the record store as it was stored",
    params: positionParams,
    reply: statementDetail,
  }),
  void: post("/api/statements/:position/void", {
    does: "Void a statement of the record store, with a reason; it stays, but is no longer listed to tools",
    params: positionParams,
    body: z.object({ reason: z.string().trim().min(MIN_REASON_CHARS).max(MAX_REASON_CHARS) }),
    reply: statementDetail,
  }),
  verbs: get("/api/statement-verbs", {
    does: "List what people have done by the statements of a company, as choices of a filter",
    query: z.object({ companyId: z.uuid() }),
    reply: z.object({ items: z.array(statementVerb) }),
  }),
  listClients: get("/api/statement-clients", {
    does: "List the keys of the record store",
    query: listQuery.omit({ sort: true }),
    reply: page(statementClient).extend({ endpoint: z.string() }),
  }),
  createClient: post("/api/statement-clients", {
    does: "Create a key of the record store; the reply has its secret, which is shown only here",
    body: clientInput,
    reply: statementClient.extend({ secret: z.string() }),
  }),
  revokeClient: post("/api/statement-clients/:id/revoke", {
    does: "Revoke a key of the record store; it works no longer",
    reply: statementClient,
  }),
});
