import { record, type AuditInput } from "#server/audit/service.ts";
import { inTransaction, repeatOnDeadlock, type Tx, withCause } from "#server/core/database/db.ts";
import type { Scim } from "#server/provisioning/scim/context.ts";

/** Runs a change of a directory. History names the key; nodes have heard of ended access before it is answered. */
export async function runChange<T>(scim: Scim, reason: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const db = withCause(scim.db, { actorId: null, reason: `provisioning.${reason}` });
  const done = await repeatOnDeadlock(() => inTransaction(db, work));
  await scim.accessChanges.settled();
  return done;
}

/** Records what a directory did. The actor is its key, by name. */
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
