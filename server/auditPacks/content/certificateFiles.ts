import { sql } from "kysely";
import {
  byPerson,
  type CourseCells,
  courseColumns,
  csvFile,
  dayOf,
  type MadeFile,
  type Pack,
  type PackColumn,
  type PersonCells,
  personCells,
  personColumns,
  rowsOf,
  type Source,
  textFile,
} from "#server/auditPacks/content/packFile.ts";
import { closedProof } from "#server/certificates/proofs/publicPage.ts";
import texts from "#shared/locales/en/auditPackFiles.json" with { type: "json" };

/** The most certificates whose proofs are in a pack. */
export const MAX_PROOFS = 2000;
const heads = texts.heads;

/** SQL: certificates of the courses that were issued before the pack and valid in its period. */
const certificatesAsOf = ({ companyId, courseIds, at, fromDay, toDay }: Pack) => sql`
    select certificates.*
    from certificates
    where certificates.company_id = ${companyId}
      and certificates.course_id = any(${courseIds}::uuid[])
      and certificates.issued_at < ${at}::timestamptz
      and certificates.completed_on <= ${toDay}::date
      and coalesce(certificates.valid_until >= ${fromDay}::date, true)`;

type Certificate = PersonCells &
  CourseCells & {
    number: string;
    enrolmentId: string | null;
    completedOn: string;
    issuedOn: string;
    validUntil: string | null;
    revokedOn: string | null;
    replaces: string | null;
  };
const certificateColumns: PackColumn<Certificate>[] = [
  [heads.certificate, (row) => row.number],
  [heads.enrolment, (row) => row.enrolmentId],
  ...personColumns,
  ...courseColumns,
  [heads.completedOn, (row) => row.completedOn],
  [heads.issuedOn, (row) => row.issuedOn],
  [heads.validUntil, (row) => row.validUntil],
  [heads.revokedOn, (row) => row.revokedOn],
  [heads.replaces, (row) => row.replaces],
];

export function certificatesFile(source: Source, pack: Pack): MadeFile {
  const query = sql<Certificate>`
    select
      issued.number, done.enrolment_id, ${personCells(sql`issued.person_id`, pack)},
      issued.course_id, courses.title as course, courses.code,
      issued.completed_on::text, issued.facts ->> 'issuedOn' as issued_on, issued.valid_until::text,
      case
        when issued.revoked_at < ${pack.at}::timestamptz then ${dayOf(sql`issued.revoked_at`, pack)}
      end as revoked_on,
      earlier.number as replaces
    from (${certificatesAsOf(pack)}) issued
    left join completion_history done on done.id = issued.completion_id
    left join certificates earlier on earlier.id = issued.replaces
    left join users on users.id = issued.person_id
    left join courses on courses.id = issued.course_id
    order by ${byPerson}, issued.person_id, issued.completed_on, issued.number`;
  return csvFile("certificates.csv", certificateColumns, rowsOf(source, query));
}

/**
 * A proof for each certificate, without the name, against the last signed root of a day (UTC) before the pack. There is
 * none for certificates that were issued after that, and for all if there are too many.
 */
export async function* proofFiles(source: Source, pack: Pack): AsyncGenerator<MadeFile> {
  const { db } = source.pools.exports;
  const { rows } = await sql<{ id: string; number: string }>`
    select id, number
    from (${certificatesAsOf(pack)}) issued
    order by number
    limit ${MAX_PROOFS + 1}`.execute(db);
  if (rows.length > MAX_PROOFS) return;
  for (const { id, number } of rows) {
    const proof = await closedProof(db, id, pack.at);
    if (proof) yield textFile(`proofs/${number}.proof.json`, `${JSON.stringify(proof, null, 2)}\n`);
  }
}
