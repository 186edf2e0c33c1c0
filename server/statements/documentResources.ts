import { type Db, inTransaction, repeatOnDeadlock } from "#server/core/database/db.ts";
import { notFound, Problem } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import { badRequest, refused } from "#server/statements/refusals.ts";
import {
  demandsCondition,
  type DocumentName,
  type DocumentOwner,
  findDocument,
  isJson,
  listDocuments,
  mergeDocument,
  parseObject,
  removeDocument,
  removeDocuments,
  replaceDocument,
} from "#server/statements/documents.ts";
import { checkDocumentsOf } from "#server/statements/budgets.ts";
import { checkParams, type Params } from "#server/statements/filters.ts";
import { agentKeyOf } from "#server/statements/identifiers.ts";
import type { DocumentAccess, LaunchClients, RecordStoreClient } from "#server/statements/launches.ts";
import { findLearners } from "#server/statements/learners.ts";
import { type Answer, refuseBy } from "#server/statements/statementResource.ts";
import type { StoreRequest } from "#server/statements/storeRequest.ts";
import { checkAgent } from "#server/statements/validation/agents.ts";
import { checkIri, checkMediaType, checkTime, checkUuid, toUtc } from "#server/statements/validation/fields.ts";
import { readJson } from "#server/statements/validation/json.ts";
import { storeLimits } from "#shared/statements/statements.ts";
import type { Agent, StoredStatement } from "#shared/statements/xapi.ts";

type Kind = DocumentOwner["kind"];
const ID = { state: "stateId", activity: "profileId", agent: "profileId" } as const;
const OWNER: Record<Kind, string[]> = {
  state: ["activityId", "agent", "registration"],
  activity: ["activityId"],
  agent: ["agent"],
};

/** States, activity profiles and agent profiles: one document by its id, or the ids of all. */
export async function useDocuments(
  services: Services,
  client: RecordStoreClient,
  kind: Kind,
  request: StoreRequest,
  launches: LaunchClients,
): Promise<Answer> {
  const { method, params } = request;
  const owner = readOwner(client, kind, params, method === "GET");
  const documentId = params[ID[kind]] ?? null;
  if (documentId !== null && (documentId === "" || documentId.length > storeLimits.documentId))
    throw badRequest(`${ID[kind]} has no length that is possible`);
  if (documentId !== null && params.since !== undefined) throw badRequest("since is only for lists");
  const access: DocumentAccess = {
    method: method as DocumentAccess["method"],
    kind,
    activityId: owner.activityId ?? null,
    agent: owner.agent ?? null,
    registration: owner.registration ?? null,
    documentId,
  };
  const check = async (db: Db) => {
    if (client.kind === "launch") refuseBy(await launches.beforeDocument(db, client, access));
  };
  if (method === "GET") {
    await check(services.db);
    return documentId === null
      ? readList(services.db, owner, params.since)
      : readOne(services.db, { ...owner, documentId });
  }
  if (documentId === null && !(method === "DELETE" && kind === "state")) throw badRequest(`${ID[kind]} is missing`);
  return repeatOnDeadlock(() =>
    inTransaction(services.db, async (tx) => {
      await check(tx);
      if (documentId === null) {
        await removeDocuments(tx, owner);
        return { status: 204 };
      }
      const name = { ...owner, documentId };
      const { ifMatch, ifNoneMatch } = request;
      if (method === "DELETE") await removeDocument(tx, name, { ifMatch, ifNoneMatch });
      else {
        const userId = await findOwner(services, tx, client, owner);
        await write(tx, name, request, userId);
        if (client.kind === "launch") await checkDocumentsOf(tx, client.userId);
      }
      return { status: 204 };
    }),
  );
}

function readOwner(client: RecordStoreClient, kind: Kind, params: Params, isRead: boolean): DocumentOwner {
  checkParams(params, [...OWNER[kind], ID[kind], ...(isRead ? ["since"] : [])]);
  // A launch does not reach documents of the learner's other attempts.
  const owner: DocumentOwner = { companyId: client.companyId, kind, isExact: client.kind === "launch" };
  if (kind !== "agent") owner.activityId = checkIri(params.activityId, "activityId");
  if (kind !== "activity") owner.agent = readAgent(params.agent);
  if (params.registration !== undefined)
    owner.registration = checkUuid(params.registration, "registration").toLowerCase();
  if (client.kind === "launch" && owner.agent && agentKeyOf(owner.agent) !== agentKeyOf(client.agent))
    throw refused("the agent is not the learner of the launch");
  return owner;
}

export function readAgent(text: string | undefined): Agent {
  if (text === undefined) throw badRequest("agent is missing");
  const agent = readJson(text);
  checkAgent(agent, "agent");
  return agent as Agent;
}

/** The learner to whom a document belongs. */
async function findOwner(
  { config }: Services,
  tx: Parameters<typeof findLearners>[0],
  client: RecordStoreClient,
  { agent, companyId }: DocumentOwner,
) {
  if (!agent) return null;
  if (client.kind === "launch") return client.userId;
  const found = await findLearners(tx, config, companyId, [{ id: "", actor: agent } as StoredStatement]);
  return found.get("") ?? null;
}

async function write(
  tx: Parameters<typeof findLearners>[0],
  name: DocumentName,
  { method, contentType, body, ifMatch, ifNoneMatch, version }: StoreRequest,
  userId: string | null,
) {
  if (body.length > storeLimits.document) throw new Problem(413, "core.tooLarge");
  if (contentType.length > 255) throw badRequest("the Content-Type is too long");
  const type = contentType === "" ? "application/octet-stream" : contentType;
  checkMediaType(type, "Content-Type");
  const document = { contentType: type, bytes: body, userId };
  if (isJson(type)) checkJson(body, method === "POST");
  if (method === "POST") return mergeDocument(tx, name, document, { ifMatch, ifNoneMatch });
  const mustCheck = demandsCondition(name.kind, version);
  return replaceDocument(tx, name, document, { ifMatch, ifNoneMatch, mustCheck });
}

function checkJson(body: Buffer, isObject: boolean) {
  if (isObject) parseObject(body);
  else readJson(body.toString("utf8"), { allowsNull: true });
}

async function readOne(db: Db, name: DocumentName): Promise<Answer> {
  const found = await findDocument(db, name);
  if (!found) throw notFound();
  const { contentType, bytes, etag, updatedAt } = found;
  return {
    status: 200,
    headers: { "content-type": contentType, etag: `"${etag}"`, "last-modified": new Date(updatedAt).toUTCString() },
    body: bytes,
  };
}

async function readList(db: Db, owner: DocumentOwner, since: string | undefined): Promise<Answer> {
  const after = since === undefined ? null : (toUtc(checkTime(since, "since")) as string);
  const { ids, updatedAt } = await listDocuments(db, owner, after);
  return {
    status: 200,
    headers: updatedAt ? { "last-modified": new Date(updatedAt).toUTCString() } : {},
    body: JSON.stringify(ids),
  };
}
