import { record, type AuditInput } from "#server/audit/service.ts";
import { inTransaction, repeatOnDeadlock, type Tx, withCause } from "#server/core/database/db.ts";
import type { Scim } from "#server/provisioning/scim/context.ts";

/**
 * Runs a change by a directory. History shows the kind of call as its cause. Returns once all nodes have been told
 * whose access has ended.
 */
export async function runChange<T>(scim: Scim, reason: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const db = withCause(scim.db, { actorId: null, reason: `provisioning.${reason}` });
  const done = await repeatOnDeadlock(() => inTransaction(db, work));
  await scim.accessChanges.settled();
  return done;
}

/** Records an action of a directory in the audit log, with the name of its key as the actor. */
export const recordByKey = (tx: Tx, { directory }: Pick<Scim, "directory">, entry: AuditInput) =>
  record(
    tx,
    { user: { id: null, role: "directory" } },
    {
      ...entry,
      companyId: directory.companyId,
      details: { ...entry.details, directory: directory.name, apiKey: directory.prefix },
    },
  );
