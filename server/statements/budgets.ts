import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { refused } from "#server/statements/refusals.ts";
import { storeLimits } from "#shared/statements/statements.ts";

// Limits on what courses in learners' browsers may store in total. Keys have none: they belong to systems that the
// company trusts.

/** Throws 403 if the documents of a learner exceed their limit. */
export async function checkDocumentsOf(tx: Tx, userId: string) {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(octet_length(bytes)), 0)::float8 as bytes
    from statement_documents
    where user_id = ${userId}`.execute(tx);
  if ((rows[0]?.bytes ?? 0) > storeLimits.documentsOfLearner)
    throw refused("the documents of the learner are too large");
}

/** Throws 403 if the attachments of an attempt exceed their limit. */
export async function checkAttachmentsOf(tx: Tx, attemptId: string) {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(octet_length(files.bytes)), 0)::float8 as bytes
    from statements
    join statement_attachments attachments on attachments.position = statements.position
    join statement_files files
      on files.company_id = attachments.company_id
      and files.hash = attachments.hash
    where statements.attempt_id = ${attemptId}`.execute(tx);
  if ((rows[0]?.bytes ?? 0) > storeLimits.attachmentsOfAttempt)
    throw refused("the attachments of the attempt are too large");
}
