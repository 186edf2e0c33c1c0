import { type Selectable, sql, type UpdateObject } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import type { DB, Files } from "#server/core/database/db.types.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, forbidden, notFound, Problem } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Services } from "#server/core/services.ts";
import { newNonce, nonceOf, tokenOf, validNonces } from "#server/files/tokens.ts";
import {
  BUCKET,
  canChangeFile,
  canReadFile,
  type objectChange,
  RESERVED_FIELDS,
  type StoredObject,
} from "#shared/files/files.ts";
import type { User } from "#shared/core/users.ts";
import type { z } from "zod";

export type StoredFile = Selectable<Files>;

export const findFile = (db: Db, path: string) =>
  db
    .selectFrom("files")
    .where("bucket", "=", BUCKET)
    .where("fullPath", "=", path)
    .where("deletedAt", "is", null)
    .selectAll()
    .executeTakeFirst();

/** A file that the user may read; otherwise 404, whether it exists or not. */
export async function getReadableFile({ db, user }: Ctx, path: string) {
  const file = await findFile(db, path);
  if (!file || !canReadFile(user, file)) throw notFound();
  return file;
}

/** A file that the user may change; 404 if they may not read it, 403 if they may only read it. */
export async function getChangeableFile({ db, user }: { db: Db; user: User }, path: string) {
  const file = await findFile(db, path);
  if (!file || !canReadFile(user, file)) throw notFound();
  if (!canChangeFile(user, file)) throw forbidden();
  return file;
}

/** The object resource of the protocol, with download tokens unless `showTokens` is off. */
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
    ...(Object.keys(file.customMetadata).length > 0 && {
      metadata: file.customMetadata,
    }),
    downloadTokens: showTokens
      ? validNonces(file)
          .map((nonce) => tokenOf(config.secret, file.id, nonce))
          .join(",")
      : "",
  };
}

/** A tag that changes whenever the content or the metadata changes. */
export const etagOf = ({ generation, metageneration }: StoredFile) => `${generation}-${metageneration}`;

/** Changes the given metadata; `null` removes a field. The reserved fields, such as the purpose, cannot change. */
export async function updateFile(ctx: Ctx<User>, path: string, change: z.output<typeof objectChange>) {
  const file = await getChangeableFile(ctx, path);
  const custom = { ...file.customMetadata };
  const { metadata, ...fields } = change;
  if (metadata === null) for (const name of Object.keys(custom)) if (!isReserved(name)) delete custom[name];
  for (const [name, value] of Object.entries(metadata ?? {})) {
    if (isReserved(name) && value !== custom[name]) throw forbidden();
    if (value === null) delete custom[name];
    else custom[name] = value;
  }
  const changed = await ctx.db
    .updateTable("files")
    .set((e) => ({
      ...fields,
      contentType: fields.contentType === null ? "application/octet-stream" : fields.contentType,
      customMetadata: JSON.stringify(custom),
      metageneration: e("metageneration", "+", 1),
      updatedAt: new Date().toISOString(),
    }))
    .where("id", "=", file.id)
    .where("metageneration", "=", file.metageneration)
    .where("deletedAt", "is", null)
    .returningAll()
    .executeTakeFirst();
  if (!changed) throw conflict("files.changedMeanwhile");
  return objectOf(ctx, changed);
}
const isReserved = (name: string) => (RESERVED_FIELDS as readonly string[]).includes(name);

/** Deletes a file. Its bytes are removed a day later, so that running downloads can finish. */
export async function removeFile(ctx: { db: Db; user: User }, path: string) {
  const file = await getChangeableFile(ctx, path);
  if (!(await markFileDeleted(ctx.db, file.id))) throw conflict("files.inUse");
}

/** Marks a file as deleted. False if it is in use. */
export async function markFileDeleted(db: Db, id: string) {
  const deleted = await db
    .updateTable("files")
    .set({ deletedAt: new Date().toISOString() })
    .where("id", "=", id)
    .where("inUse", "=", false)
    .executeTakeFirstOrThrow();
  return deleted.numUpdatedRows > 0n;
}

/** Protects a file from deletion while something refers to it. */
export const markFileInUse = (tx: Db, id: string) =>
  tx.updateTable("files").set({ inUse: true }).where("id", "=", id).execute();

/** Allows a file to be deleted again. */
export const markFileUnused = (tx: Db, id: string) =>
  tx.updateTable("files").set({ inUse: false }).where("id", "=", id).execute();

/** Adds a download token; a file has at most 20. */
export async function addToken(ctx: Ctx<User>, path: string) {
  const file = await getChangeableFile(ctx, path);
  const valid = validNonces(file);
  if (valid.length >= 20) throw conflict("files.tooManyTokens");
  return changeTokens(ctx, file, { tokens: [...valid, newNonce()] });
}

/** Revokes a download token permanently. */
export async function revokeToken(ctx: Ctx<User>, path: string, token: string) {
  const file = await getChangeableFile(ctx, path);
  const nonce = nonceOf(ctx.config.secret, file, token);
  if (!nonce) throw new Problem(404, "files.tokenUnknown");
  return changeTokens(ctx, file, {
    tokens: sql`array_remove(tokens, ${nonce}::uuid)`,
    revokedTokens: sql`array_append(revoked_tokens, ${nonce}::uuid)`,
  });
}

async function changeTokens(ctx: Ctx<User>, { id, metageneration }: StoredFile, change: UpdateObject<DB, "files">) {
  const changed = await ctx.db
    .updateTable("files")
    .set((e) => ({ ...change, metageneration: e("metageneration", "+", 1), updatedAt: new Date().toISOString() }))
    .where("id", "=", id)
    .where("metageneration", "=", metageneration)
    .returningAll()
    .executeTakeFirst();
  if (!changed) throw conflict("files.changedMeanwhile");
  return objectOf(ctx, changed);
}

type ListQuery = { prefix: string; delimiter: string; size: number; after: string };

/**
 * Paths below `prefix` that the user may read, in byte order. With a delimiter, deeper paths are grouped by their
 * prefix.
 */
export async function listFiles({ db, user }: Ctx<User>, { prefix, delimiter, size, after }: ListQuery) {
  const isReadable = sql`(
    owner_id = ${user.id}
    or visibility = 'public'
    or (visibility = 'company' and company_id = ${user.companyId})
    or (purpose <> 'export' and ${inScope(user, { company: "files.companyId" })})
  )`;
  const delimiterPosition = sql`position(${delimiter}::text in substr(full_path, length(${prefix}::text) + 1))`;
  const { rows } = await sql<{ key: string; folded: boolean }>`
    with readable as (
      select
        full_path,
        case when ${delimiter}::text = '' then 0 else ${delimiterPosition} end as cut
      from files
      where bucket = ${BUCKET}
        and deleted_at is null
        and starts_with(full_path, ${prefix})
        and ${isReadable}
    ),
    keys as (
      select
        case
          when cut > 0 then left(full_path, length(${prefix}::text) + cut + length(${delimiter}::text) - 1)
          else full_path
        end collate "C" as key,
        cut > 0 as folded
      from readable
    )
    select key, bool_or(folded) as folded
    from keys
    where key > ${after}::text collate "C"
    group by key
    order by key
    limit ${size + 1}`.execute(db);
  const shown = rows.slice(0, size);
  return {
    prefixes: shown.filter(({ folded }) => folded).map(({ key }) => key),
    items: shown.filter(({ folded }) => !folded).map(({ key }) => ({ name: key, bucket: BUCKET })),
    ...(rows.length > size && { nextPageToken: Buffer.from(shown.at(-1)?.key ?? "").toString("base64url") }),
  };
}
