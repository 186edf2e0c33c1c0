import { isTagged } from "#server/provisioning/scim/etag.ts";
import type { Scim } from "#server/provisioning/scim/context.ts";
import { unknownResource } from "#server/provisioning/scim/scimError.ts";
import { isUuid } from "#shared/core/uuid.ts";
import type { CallOutcome } from "#shared/provisioning/provisioning.ts";

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

/** The id in the path; 404 for what is none. */
export const idIn = ({ id }: Sent) => {
  if (!isUuid(id)) throw unknownResource();
  return id;
};

/** A resource as it is answered. */
export type Answered = Record<string, unknown> & { meta: { location: string; version: string } };

/** 304 for what the directory has. */
export const answerIfChanged = ({ ifNoneMatch }: Sent, answer: Answer): Answer => {
  if (ifNoneMatch === undefined || !answer.etag || !isTagged(ifNoneMatch, answer.etag)) return answer;
  return { status: 304, etag: answer.etag, outcome: answer.outcome, ...(answer.id && { id: answer.id }) };
};
