import { isTagged } from "#server/provisioning/scim/etag.ts";
import type { Scim } from "#server/provisioning/scim/context.ts";
import type { ResourceType } from "#server/provisioning/scim/attributes.ts";
import { project, type Projection, readProjection } from "#server/provisioning/scim/projection.ts";
import { answerQuery, readQuery, readSearch } from "#server/provisioning/scim/query.ts";
import { unknownResource } from "#server/provisioning/scim/scimError.ts";
import { isUuid } from "#shared/core/uuid.ts";
import { type CallOutcome, scimLimits } from "#shared/provisioning/provisioning.ts";

export type Sent = {
  id: string;
  /** The parameters of the address, by lower case. */
  query: Map<string, unknown>;
  body: unknown;
  ifMatch: string | undefined;
  ifNoneMatch: string | undefined;
};
export type Answer = {
  status?: number;
  body?: unknown;
  etag?: string;
  location?: string;
  /** The resource that the call was about. */
  id?: string;
  outcome: CallOutcome;
};
export type Operation = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  /** The largest body in bytes. */
  body?: number;
  /** It may read or change thousands of rows. */
  isHeavy?: true;
  run: (scim: Scim, sent: Sent) => Promise<Answer>;
};

type Reader = Parameters<typeof answerQuery>[2];

/** The id in the path; 404 for what is none. */
export const idIn = ({ id }: Sent) => {
  if (!isUuid(id)) throw unknownResource();
  return id;
};

/** A list of resources by the parameters of the address. */
export const listOperation = (path: string, read: Reader): Operation => ({
  method: "GET",
  path,
  isHeavy: true,
  run: async (scim, { query }) => ({ body: await answerQuery(scim, readQuery(query), read), outcome: "listed" }),
});

/** The same list by the body of a search. */
export const searchOperation = (path: string, read: Reader): Operation => ({
  method: "POST",
  path: `${path}/.search`,
  isHeavy: true,
  body: scimLimits.user,
  run: async (scim, { body }) => ({ body: await answerQuery(scim, readSearch(body), read), outcome: "listed" }),
});

/** Which attributes an answer has; of a change read before anything is changed. */
export const readShown = (type: ResourceType, { query }: Sent): Projection => {
  const { attributes, excluded } = readQuery(query);
  return readProjection(type, attributes, excluded);
};

type Answered = Record<string, unknown> & { id: string; meta: { location: string; version: string } };

/** An answer with a resource. */
export const answerWith = (resource: Answered, shown: Projection, answer: Answer): Answer => {
  const { id, meta } = resource;
  return { body: project(resource, shown), etag: meta.version, location: meta.location, id, ...answer };
};

/** 304 for what the directory has. */
export const answerIfChanged = ({ ifNoneMatch }: Sent, answer: Answer): Answer => {
  if (ifNoneMatch === undefined || !answer.etag || !isTagged(ifNoneMatch, answer.etag)) return answer;
  return { status: 304, etag: answer.etag, outcome: answer.outcome, ...(answer.id && { id: answer.id }) };
};
