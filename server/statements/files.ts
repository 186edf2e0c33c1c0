import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import type { StatementRow } from "#server/statements/reading.ts";
import { Problem } from "#server/core/http/problem.ts";
import { storeLimits } from "#shared/statements/statements.ts";
import type { Statement } from "#shared/statements/xapi.ts";

/** The stored attachments of these statements, each once; 413 if they are too large for one answer. */
export async function readFiles(db: Db, rows: StatementRow[]) {
  if (rows.length === 0) return [];
  const positions = rows.map(({ position }) => position);
  const { rows: sizes } = await sql<{ hash: string; companyId: string; bytes: number }>`
    select distinct attachments.hash, attachments.company_id as "companyId", octet_length(files.bytes) as bytes
    from statement_attachments attachments
    join statement_files files using (company_id, hash)
    where attachments.position = any(${positions}::bigint[])`.execute(db);
  if (sizes.reduce((sum, { bytes }) => sum + bytes, 0) > storeLimits.multipart)
    throw new Problem(413, "statements.tooManyFiles");
  const [first] = sizes;
  if (!first) return [];
  const types = new Map(
    rows.flatMap(({ text }) =>
      ((JSON.parse(text) as Statement).attachments ?? []).map(({ sha2, contentType }) => [
        sha2.toLowerCase(),
        contentType,
      ]),
    ),
  );
  const files = await db
    .selectFrom("statementFiles")
    .where("companyId", "=", first.companyId)
    .where(
      "hash",
      "in",
      sizes.map(({ hash }) => hash),
    )
    .select(["hash", "bytes"])
    .orderBy("hash")
    .execute();
  return files.map(({ hash, bytes }) => ({ hash, bytes, contentType: types.get(hash) ?? "application/octet-stream" }));
}
