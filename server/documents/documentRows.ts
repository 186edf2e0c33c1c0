import { type RawBuilder, sql } from "kysely";
import type { Ctx } from "#server/core/http/http.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { notFound } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import { countVectors } from "#server/documents/retrieval/embedder.ts";
import type { DocumentVersion } from "#shared/documents/documentVersions.ts";
import type { DocumentDetail, DocumentRow } from "#shared/documents/documents.ts";
import type { User } from "#shared/core/users.ts";

/** The documents that a user may see and change: those of the companies in their scope. */
export const DOCUMENT_SCOPE = { company: "documents.companyId" };
export const selectDocuments = ({ db, user }: Pick<Ctx<User>, "db" | "user">) =>
  db.selectFrom("documents").where(inScope(user, DOCUMENT_SCOPE));

type Row = DocumentRow & { versions: DocumentVersion[] };

/** A time in the format of the API, which differs from that of PostgreSQL's JSON functions. */
export const utc = (column: string) =>
  sql`to_char(${sql.ref(column)} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const VERSION = sql`json_build_object(
  'id', version.id,
  'number', version.number,
  'name', version.name,
  'kind', version.kind,
  'bytes', version.bytes,
  'state', version.state,
  'code', version.code,
  'page', version.page,
  'done', version.done,
  'total', version.total,
  'language', version.language,
  'pages', version.pages,
  'passages', version.passages,
  'createdAt', ${utc("version.created_at")},
  'readyAt', ${utc("version.ready_at")},
  'isLive', coalesce(version.id = documents.live_version_id, false),
  'filePath', files.full_path)`;
const versions = (condition: RawBuilder<unknown>) => sql<DocumentVersion[]>`(
  select coalesce(json_agg(${VERSION} order by version.number desc), '[]')
  from document_versions version
  left join files on files.id = version.file_id
  where version.document_id = documents.id
    and ${condition})`;
/** The rows of a table to which a document is linked, by name. */
const named = (table: string, column: string, name: string, link: string) => {
  const nameColumn = sql.ref(`${table}.${name}`);
  return sql<{ id: string; name: string }[]>`(
    select coalesce(
      json_agg(json_build_object('id', ${sql.ref(`${table}.id`)}, 'name', ${nameColumn}) order by ${nameColumn}),
      '[]')
    from ${sql.table(link)} link
    join ${sql.table(table)} on ${sql.ref(`${table}.id`)} = ${sql.ref(`link.${column}`)}
    where link.document_id = documents.id)`;
};

/** Documents for lists and pages; `all`: with every version, otherwise with the live and the newest one. */
export async function describeDocuments(ctx: Ctx<User>, ids: string[], all = false): Promise<Row[]> {
  const rows = await selectDocuments(ctx)
    .where(isOneOf("documents.id", ids))
    .select(["id", "title", "folder", "tags", "source", "url", "reviewBy", "language", "status", "version"])
    .select(["createdAt", "updatedAt"])
    .select([
      named("companies", "company_id", "name", "document_companies").as("companies"),
      named("courses", "course_id", "title", "document_courses").as("courses"),
      sql<{ id: string; name: string } | null>`(
        select json_build_object('id', users.id, 'name', users.name)
        from users
        where users.id = documents.owner_id)`.as("owner"),
      versions(
        all
          ? sql`true`
          : sql`(
              version.id = documents.live_version_id
              or version.number = (
                select max(newest.number)
                from document_versions newest
                where newest.document_id = documents.id))`,
      ).as("versions"),
    ])
    .execute();
  return rows.map((row) => ({
    ...row,
    live: row.versions.find(({ isLive }) => isLive) ?? null,
    latest: row.versions[0] as DocumentVersion,
  }));
}

export async function getDocument(ctx: Ctx<User>, id: string): Promise<DocumentDetail> {
  const [found] = await describeDocuments(ctx, [id], true);
  if (!found) throw notFound();
  const { orders } = await ctx.db
    .selectFrom("passages")
    .where("versionId", "=", (found.live ?? found.latest).id)
    .where("givesOrders", "=", true)
    .select(sql<number>`count(*)::int`.as("orders"))
    .executeTakeFirstOrThrow();
  return { ...found, orders, vectors: await countVectors(ctx.db, found.live) };
}

/**
 * The version with this number; by default the live one, or the newest if none is live. 404 if the document is not in
 * the scope of the user.
 */
export async function getVersion(ctx: Ctx<User>, id: string, number?: number) {
  const version = await selectDocuments(ctx)
    .where("documents.id", "=", id)
    .innerJoin("documentVersions", "documentVersions.documentId", "documents.id")
    .$if(number !== undefined, (rows) => rows.where("documentVersions.number", "=", number ?? 0))
    .orderBy(sql`document_versions.id = documents.live_version_id`, (order) => order.desc().nullsLast())
    .orderBy("documentVersions.number", "desc")
    .selectAll("documentVersions")
    .select(["documents.title", "documents.liveVersionId", "documents.source"])
    .executeTakeFirst();
  if (!version) throw notFound();
  return version;
}
