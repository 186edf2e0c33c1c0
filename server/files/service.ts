import { randomUUID } from "node:crypto";
import { type Selectable, sql } from "kysely";
import type { Db, Tx } from "#server/core/db.ts";
import type { Files } from "#server/core/db.types.ts";
import type { Ctx } from "#server/core/http.ts";
import { conflict, forbidden, notFound, Problem } from "#server/core/problem.ts";
import type { Services } from "#server/core/services.ts";
import { nonceOf, tokenOf } from "#server/files/tokens.ts";
import {
  BUCKET,
  canChangeFile,
  canReadFile,
  type objectChange,
  RESERVED_FIELDS,
  type StoredObject,
} from "#shared/files.ts";
import type { User } from "#shared/users.ts";
import type { z } from "zod";

export type StoredFile = Selectable<Files>;
/** What a file is to the policies of shared/files.ts. */
export const owned = (file: Pick<StoredFile, "purpose" | "visibility" | "ownerId" | "companyId">) =>
  file as Parameters<typeof canReadFile>[1];

export const findFile = (db: Db | Tx, path: string) =>
  db
    .selectFrom("files")
    .where("bucket", "=", BUCKET)
    .where("fullPath", "=", path)
    .where("deletedAt", "is", null)
    .selectAll()
    .executeTakeFirst();

/** A file that this person may read; 404 otherwise, whether it is there or not. */
export async function readableFile({ db, user }: Ctx, path: string) {
  const file = await findFile(db, path);
  if (!file || !canReadFile(user, owned(file))) throw notFound();
  return file;
}

/** A file that this person may change; 404 when they may not even see it, 403 when they may only read it. */
export async function changeableFile({ db, user }: { db: Db | Tx; user: User }, path: string) {
  const file = await findFile(db, path);
  if (!file || !canReadFile(user, owned(file))) throw notFound();
  if (!canChangeFile(user, owned(file))) throw forbidden();
  return file;
}

/** The resource as the protocol answers it. Tokens are for those who may change the file or read it by name. */
export function objectOf({ config }: Pick<Services, "config">, file: StoredFile, showTokens = true): StoredObject {
  const { cacheControl, contentLanguage } = file;
  return {
    bucket: file.bucket,
    name: file.fullPath,
    generation: String(file.generation),
    metageneration: String(file.metageneration),
    size: String(file.size),
    timeCreated: file.createdAt,
    updated: file.updatedAt,
    md5Hash: file.md5Hash,
    etag: etagOf(file),
    contentType: file.contentType,
    contentDisposition: file.contentDisposition ?? "inline",
    contentEncoding: file.contentEncoding || "identity",
    ...(cacheControl !== null && { cacheControl }),
    ...(contentLanguage !== null && { contentLanguage }),
    ...(Object.keys(file.customMetadata as object).length > 0 && {
      metadata: file.customMetadata as Record<string, string>,
    }),
    downloadTokens: showTokens ? file.tokens.map((nonce) => tokenOf(config.secret, file.id, nonce)).join(",") : "",
  };
}

/** Changes with every overwrite and every change of the metadata. */
export const etagOf = ({ generation, metageneration }: StoredFile) => `${generation}-${metageneration}`;

/** Changes what is named; `null` takes a field away. What a file is for was set at its upload and stays. */
export async function updateFile(ctx: Ctx<User>, path: string, change: z.output<typeof objectChange>) {
  const file = await changeableFile(ctx, path);
  const own = { ...(file.customMetadata as Record<string, string>) };
  const { metadata, ...fields } = change;
  if (metadata === null) for (const name of Object.keys(own)) if (!isReserved(name)) delete own[name];
  for (const [name, value] of Object.entries(metadata ?? {})) {
    if (isReserved(name) && value !== own[name]) throw forbidden();
    if (value === null) delete own[name];
    else own[name] = value;
  }
  const changed = await ctx.db
    .updateTable("files")
    .set(
      (e) =>
        ({
          ...fields,
          ...(fields.contentType === null && { contentType: "application/octet-stream" }),
          customMetadata: JSON.stringify(own),
          metageneration: e("metageneration", "+", 1),
          updatedAt: new Date().toISOString(),
        }) as never,
    )
    .where("id", "=", file.id)
    .where("metageneration", "=", file.metageneration)
    .where("deletedAt", "is", null)
    .returningAll()
    .executeTakeFirst();
  if (!changed) throw conflict("files.changedMeanwhile");
  return objectOf(ctx, changed);
}
const isReserved = (name: string) => (RESERVED_FIELDS as readonly string[]).includes(name);

/** Takes a file away. The bytes go a day later, so that a download that runs comes to its end. */
export async function removeFile(ctx: { db: Db | Tx; user: User }, path: string) {
  const file = await changeableFile(ctx, path);
  if (!(await tombstone(ctx.db, file.id))) throw conflict("files.inUse");
}

/** False when something of ours rests on the file. */
export async function tombstone(db: Db | Tx, id: string) {
  const gone = await db
    .updateTable("files")
    .set({ deletedAt: new Date().toISOString() })
    .where("id", "=", id)
    .where("inUse", "=", false)
    .executeTakeFirstOrThrow();
  return gone.numUpdatedRows > 0n;
}

/** Something of ours rests on this file from now on. */
export const markFileInUse = (tx: Db | Tx, id: string) =>
  tx.updateTable("files").set({ inUse: true }).where("id", "=", id).execute();

/** A new download token, or one taken back for good. */
export async function addToken(ctx: Ctx<User>, path: string) {
  const file = await changeableFile(ctx, path);
  if (file.tokens.length >= 20) throw conflict("files.tooManyTokens");
  return changeTokens(ctx, file, { tokens: sql`array_append(tokens, ${randomUUID()}::uuid)` });
}

export async function revokeToken(ctx: Ctx<User>, path: string, token: string) {
  const file = await changeableFile(ctx, path);
  const nonce = nonceOf(ctx.config.secret, file, token);
  if (!nonce) throw new Problem(404, "files.tokenUnknown");
  return changeTokens(ctx, file, {
    tokens: sql`array_remove(tokens, ${nonce}::uuid)`,
    revokedTokens: sql`array_append(revoked_tokens, ${nonce}::uuid)`,
  });
}

async function changeTokens(ctx: Ctx<User>, { id }: StoredFile, change: Record<string, unknown>) {
  const changed = await ctx.db
    .updateTable("files")
    .set(
      (e) => ({ ...change, metageneration: e("metageneration", "+", 1), updatedAt: new Date().toISOString() }) as never,
    )
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return objectOf(ctx, changed);
}

type ListQuery = { prefix: string; delimiter: string; size: number; after: string };

/** Names below `prefix` that this person may read, in byte order; with a delimiter, what lies deeper is folded into its prefix. */
export async function listFiles({ db, user }: Ctx<User>, { prefix, delimiter, size, after }: ListQuery) {
  const readable =
    user.role === "admin"
      ? sql`(purpose <> 'export' or owner_id = ${user.id})`
      : sql`(owner_id = ${user.id} or visibility = 'public' or (visibility = 'company' and company_id = ${user.companyId}))`;
  const { rows } = await sql<{ key: string; folded: boolean }>`
    select key, bool_or(folded) as folded from (
      select case when deep then left(full_path, length(${prefix}::text) + cut + length(${delimiter}::text) - 1) else full_path end collate "C" as key, deep as folded
      from files, lateral (select case when ${delimiter}::text = '' then 0 else position(${delimiter}::text in substr(full_path, length(${prefix}::text) + 1)) end as cut) c, lateral (select cut > 0 as deep) d
      where bucket = ${BUCKET} and deleted_at is null and starts_with(full_path, ${prefix}) and ${readable}) found
    where key > ${after}::text collate "C" group by key order by key limit ${size + 1}`.execute(db);
  const shown = rows.slice(0, size);
  return {
    prefixes: shown.filter(({ folded }) => folded).map(({ key }) => key),
    items: shown.filter(({ folded }) => !folded).map(({ key }) => ({ name: key, bucket: BUCKET })),
    ...(rows.length > size && { nextPageToken: Buffer.from(shown.at(-1)?.key ?? "").toString("base64url") }),
  };
}

/** Nothing of ours rests on this file any more; it can be deleted again. */
export const markFileUnused = (tx: Db | Tx, id: string) =>
  tx.updateTable("files").set({ inUse: false }).where("id", "=", id).execute();
