import { createHash } from "node:crypto";
import { ScimError } from "#server/provisioning/scim/scimError.ts";

/** A weak ETag of what a resource says. */
export const etagOf = (said: unknown) =>
  `W/"${createHash("sha256").update(JSON.stringify(said)).digest("base64url").slice(0, 22)}"`;

const tagsIn = (header: string) => header.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
/** Whether one of the tags of a header is this one; weak tags are compared without their mark (RFC 9110, 13.1). */
export const isTagged = (header: string, etag: string) =>
  header.trim() === "*" || tagsIn(header).includes(etag.replace(/^W\//, ""));

/** Throws 412 unless the resource is as the directory has read it. */
export function demandMatch(ifMatch: string | undefined, etag: string) {
  if (ifMatch !== undefined && !isTagged(ifMatch, etag))
    throw new ScimError(412, "The resource has changed. Read it again.");
}
