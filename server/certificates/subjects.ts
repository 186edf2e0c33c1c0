import { sql } from "kysely";
import type { AuditInput } from "#server/audit/service.ts";
import type { Db } from "#server/core/database/db.ts";
import { notFound } from "#server/core/http/problem.ts";
import type { CertificateKind } from "#shared/certificates/designs.ts";

/** What a certificate is for: a course or a learning path. */
export type Subject = { kind: CertificateKind; id: string };
export const courseOf = (id: string): Subject => ({ kind: "course", id });
export const pathOf = (id: string): Subject => ({ kind: "path", id });

/** The column with its id, in designs and certificates. */
export const columnOf = ({ kind }: Subject) => (kind === "course" ? "courseId" : "pathId");
export const idsOf = ({ kind, id }: Subject) =>
  kind === "course" ? { courseId: id, pathId: null } : { courseId: null, pathId: id };
type Ids = { courseId: string | null; pathId: string | null };

/** Where the audit log names it. */
export const auditedAs = ({ courseId, pathId }: Ids): Pick<AuditInput, "courseId" | "object"> =>
  pathId === null ? { courseId } : { object: { paths: pathId } };

/** Its title; 404 if it is unknown. `isLocked`: it stays until the transaction ends. */
export async function readTitle(db: Db, { kind, id }: Subject, { isLocked = false } = {}) {
  const { rows } = await sql<{ title: string }>`
    select title
    from ${sql.table(kind === "course" ? "courses" : "paths")}
    where id = ${id}
    ${isLocked ? sql`for share` : sql``}`.execute(db);
  if (!rows[0]) throw notFound();
  return rows[0].title;
}
