import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Db, Tx } from "#server/core/database/db.ts";
import { Problem } from "#server/core/http/problem.ts";
import { badRequest, refused } from "#server/statements/refusals.ts";
import { agentKeyOf, keyOf, NO_KEY } from "#server/statements/identifiers.ts";
import { isObject } from "#server/statements/validation/fields.ts";
import { readJson } from "#server/statements/validation/json.ts";
import type { XapiVersion } from "#server/statements/versions.ts";
import { storeLimits } from "#shared/statements/statements.ts";
import type { Agent } from "#shared/statements/xapi.ts";

// Documents: states, and profiles of activities and agents

/** What a document belongs to; without `registration`, it belongs to none. */
export type DocumentOwner = {
  companyId: string;
  kind: "state" | "activity" | "agent";
  activityId?: string | null;
  agent?: Agent | null;
  registration?: string | null;
  /** Without `registration`, lists and deletions cover only documents of no registration instead of all. */
  isExact?: boolean;
};
export type DocumentName = DocumentOwner & { documentId: string };
export type NewDocument = { contentType: string; bytes: Buffer; userId?: string | null };
export type Conditions = { ifMatch?: string | undefined; ifNoneMatch?: string | undefined };

const keysOf = ({ companyId, kind, activityId, agent, registration }: DocumentOwner) => ({
  companyId,
  kind,
  activityKey: activityId ? keyOf(activityId) : NO_KEY,
  agentKey: (agent && agentKeyOf(agent)) ?? NO_KEY,
  registration: registration ?? NO_KEY,
});

const select = (db: Db, name: DocumentName) => {
  const { companyId, kind, activityKey, agentKey, registration } = keysOf(name);
  return db
    .selectFrom("statementDocuments")
    .where("companyId", "=", companyId)
    .where("kind", "=", kind)
    .where("activityKey", "=", activityKey)
    .where("agentKey", "=", agentKey)
    .where("registration", "=", registration)
    .where("documentId", "=", name.documentId)
    .select(["contentType", "bytes", "etag", "updatedAt"]);
};
export const findDocument = (db: Db, name: DocumentName) => select(db, name).executeTakeFirst();

/** All documents of an owner: without `registration` those of every one, unless `isExact`. */
const ofOwner = (owner: DocumentOwner) => {
  const { companyId, kind, activityKey, agentKey, registration } = keysOf(owner);
  return sql<boolean>`company_id = ${companyId}
    and kind = ${kind}
    and activity_key = ${activityKey}
    and agent_key = ${agentKey}
    and ${(owner.registration ?? owner.isExact) ? sql`registration = ${registration}` : sql`true`}`;
};

/** The ids of documents changed after `since`, or of all, and the time of the last change. */
export async function listDocuments(db: Db, owner: DocumentOwner, since: string | null) {
  const rows = await db
    .selectFrom("statementDocuments")
    .where(ofOwner(owner))
    .$if(since !== null, (query) => query.where("updatedAt", ">", since as string))
    .select((e) => ["documentId", e.fn.max("updatedAt").as("updatedAt")])
    .groupBy("documentId")
    .orderBy("documentId")
    .execute();
  const changed = rows.map(({ updatedAt }) => updatedAt).toSorted();
  return { ids: rows.map(({ documentId }) => documentId), updatedAt: changed.at(-1) ?? null };
}

/**
 * Locks the name of a document, even if there is none yet, so that one of two writers with the same ETag is refused.
 * Returns the stored document.
 */
async function lock(tx: Tx, name: DocumentName) {
  const { companyId, kind, activityKey, agentKey, registration } = keysOf(name);
  const text = [companyId, kind, activityKey, agentKey, registration, name.documentId].join(" ");
  await sql`select pg_advisory_xact_lock(hashtextextended(${text}, 0))`.execute(tx);
  return select(tx, name).executeTakeFirst();
}

function checkConditions({ ifMatch, ifNoneMatch }: Conditions, etag: string | undefined) {
  const names = (header: string) =>
    (header.match(/"[^"]*"|\*|[^\s,"]+/g) ?? []).map((tag) => tag.replaceAll('"', "")).filter((tag) => tag !== "W/");
  const isHit = (header: string) =>
    etag !== undefined && names(header).some((tag) => tag === "*" || tag.toLowerCase() === etag);
  const isMet = (ifMatch === undefined || isHit(ifMatch)) && (ifNoneMatch === undefined || !isHit(ifNoneMatch));
  if (!isMet) throw new Problem(412, "statements.changed");
}

/** Replaces a document. With `mustCheck`, replacing an existing one requires a condition. */
export async function replaceDocument(
  tx: Tx,
  name: DocumentName,
  document: NewDocument,
  { mustCheck, ...conditions }: Conditions & { mustCheck: boolean },
) {
  const current = await lock(tx, name);
  checkConditions(conditions, current?.etag);
  const isChecked = conditions.ifMatch !== undefined || conditions.ifNoneMatch !== undefined;
  if (mustCheck && current && !isChecked) throw new Problem(409, "statements.documentExists");
  if (name.kind !== "state" && !isChecked)
    throw badRequest("a profile is replaced only with If-Match or If-None-Match");
  await storeDocument(tx, name, document);
}

/** Merges a JSON object into the stored one, or stores it if there is none. */
export async function mergeDocument(tx: Tx, name: DocumentName, document: NewDocument, conditions: Conditions) {
  const current = await lock(tx, name);
  checkConditions(conditions, current?.etag);
  if (!current) return storeDocument(tx, name, document);
  if (!isJson(document.contentType) || !isJson(current.contentType))
    throw badRequest("only a JSON object can be added to a JSON object");
  const [before, sent] = [current.bytes, document.bytes].map((bytes) => parseObject(bytes));
  const bytes = Buffer.from(JSON.stringify({ ...before, ...sent }));
  if (bytes.length > storeLimits.document) throw badRequest("the document becomes too large");
  return storeDocument(tx, name, { ...document, bytes });
}

export const isJson = (contentType: string) => /^application\/json\s*(;|$)/i.test(contentType);
export function parseObject(bytes: Buffer) {
  const value = readJson(bytes.toString("utf8"), { allowsNull: true });
  if (!isObject(value)) throw badRequest("the document is not a JSON object");
  return value;
}

export async function storeDocument(tx: Tx, name: DocumentName, { contentType, bytes, userId }: NewDocument) {
  if (name.documentId.length > storeLimits.documentId) throw badRequest("the id of the document is too long");
  const content = {
    contentType,
    bytes,
    userId: userId ?? null,
    etag: createHash("sha1").update(bytes).digest("hex"),
    updatedAt: sql<string>`clock_timestamp()`,
  };
  await tx
    .insertInto("statementDocuments")
    .values({ ...keysOf(name), documentId: name.documentId, activity: name.activityId ?? null, ...content })
    .onConflict((conflict) =>
      conflict
        .columns(["companyId", "kind", "activityKey", "agentKey", "registration", "documentId"])
        .doUpdateSet(content),
    )
    .execute();
  const { count } = await tx
    .selectFrom("statementDocuments")
    .where(ofOwner(name))
    .select((e) => e.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  if (count > storeLimits.documents) throw refused("there are too many documents of this agent or activity");
}

export async function removeDocument(tx: Tx, name: DocumentName, conditions: Conditions) {
  const current = await lock(tx, name);
  checkConditions(conditions, current?.etag);
  const { companyId, kind, activityKey, agentKey, registration } = keysOf(name);
  await tx
    .deleteFrom("statementDocuments")
    .where("companyId", "=", companyId)
    .where("kind", "=", kind)
    .where("activityKey", "=", activityKey)
    .where("agentKey", "=", agentKey)
    .where("registration", "=", registration)
    .where("documentId", "=", name.documentId)
    .execute();
}

export const removeDocuments = (tx: Tx, owner: DocumentOwner) =>
  tx.deleteFrom("statementDocuments").where(ofOwner(owner)).execute();

/** Profiles always require a condition, states only in version 2.0. */
export const demandsCondition = (kind: DocumentOwner["kind"], version: XapiVersion) =>
  kind !== "state" || version === "2.0.0";
