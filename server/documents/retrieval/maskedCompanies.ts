import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";

// The companies whose people are masked in texts that are sent to an embedding model

/** SQL condition: a company owns a document or has it shared by name. Requires `companies` and `documents`. */
export const isSharedWith = sql`(
  companies.id = documents.company_id
  or exists (
    select from document_companies allowed
    where allowed.document_id = documents.id
      and allowed.company_id = companies.id))`;

/**
 * The companies that mask names and that own documents or have them shared by name. Documents for everybody belong to
 * none.
 */
export async function listCompaniesOf(db: Db, versions: { id: string }[]) {
  const versionIds = versions.map(({ id }) => id);
  const { rows } = await sql<{ id: string }>`
    select companies.id
    from companies
    where companies.mask_names
      and exists (
        select from document_versions version
        join documents on documents.id = version.document_id
        where ${isOneOf("version.id", versionIds)}
          and not documents.all_companies
          and ${isSharedWith})`.execute(db);
  return rows.map(({ id }) => id);
}

/** The companies that mask names and whose people may see one of the documents: also every one, if it is for all. */
export async function listReadersOf(db: Db, documentIds: string[]) {
  const { rows } = await sql<{ id: string }>`
    select companies.id
    from companies
    where companies.mask_names
      and exists (
        select from documents
        where ${isOneOf("documents.id", documentIds)}
          and (documents.all_companies or ${isSharedWith}))
    order by companies.id`.execute(db);
  return rows.map(({ id }) => id);
}
