import { isSame, sign } from "#server/core/secrets.ts";
import { badRequest } from "#server/statements/refusals.ts";
import type { StatementFilter } from "#server/statements/filters.ts";

/** How long the link to the next page works, in ms. */
const VALID_MS = 24 * 60 * 60 * 1000;
/** The position of a statement in a list: the last one of a page. */
export type Place = { storedAt: string; position: number };
type Cursor = { companyId: string; filter: StatementFilter; after: Place; until: number };

/** Where a list continues, as signed text; valid for one company and one day. */
export function writeCursor(secret: string, companyId: string, filter: StatementFilter, after: Place) {
  const cursor: Cursor = { companyId, filter, after, until: Date.now() + VALID_MS };
  const text = Buffer.from(JSON.stringify(cursor)).toString("base64url");
  return `${text}.${sign(secret, `statements ${text}`)}`;
}

export function readCursor(secret: string, companyId: string, cursor: string) {
  const [text = "", signature = ""] = cursor.split(".");
  if (!isSame(signature, sign(secret, `statements ${text}`))) throw badRequest("more is not a link of this store");
  const read = JSON.parse(Buffer.from(text, "base64url").toString("utf8")) as Cursor;
  if (read.companyId !== companyId) throw badRequest("more is not a link of this store");
  if (read.until < Date.now()) throw badRequest("more is a link that has expired");
  return { filter: read.filter, after: read.after };
}
