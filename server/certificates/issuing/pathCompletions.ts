import { mailCertificates } from "#server/certificates/issuing/mail.ts";
import { issueForPaths, noteTakenBack } from "#server/certificates/issuing/pathCertificates.ts";
import { requestSealing } from "#server/certificates/jobs.ts";
import type { Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import type { Services } from "#server/core/services.ts";

/** Ids of path enrolments that are completed now, and of those that are not completed any more. */
export type PathChanges = { completed: string[]; reopened: string[] };

/**
 * In the transaction that completes and reopens paths: issues certificates, and notes on earlier ones whether their
 * completion was taken back or is there again.
 */
export async function followPathCompletions(services: Services, tx: Tx, { completed, reopened }: PathChanges) {
  if (completed.length + reopened.length > 0) await noteTakenBack(tx, [...completed, ...reopened]);
  if (completed.length === 0) return;
  const issued = await issueForPaths(tx, completed);
  if (issued.length === 0) return;
  await mailCertificates(services, tx, isOneOf("certificates.id", issued));
  await requestSealing(tx);
}
