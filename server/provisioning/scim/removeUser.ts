import { recordByKey, runChange } from "#server/provisioning/scim/actor.ts";
import type { Scim } from "#server/provisioning/scim/context.ts";
import { demandMatch } from "#server/provisioning/scim/etag.ts";
import { lockPeople, lockSettings } from "#server/provisioning/scim/locks.ts";
import { unknownResource } from "#server/provisioning/scim/scimError.ts";
import {
  endHold,
  endLinks,
  heldError,
  judgeSuspension,
  linkPeople,
  suspendedBy,
  suspendPeople,
} from "#server/provisioning/scim/suspending.ts";
import { saidOf, userTag } from "#server/provisioning/scim/userResource.ts";
import { findUser } from "#server/provisioning/scim/userRows.ts";
import type { CallOutcome } from "#shared/provisioning/provisioning.ts";

/** What follows when the directory deletes a person: it sees them no longer, whatever becomes of their access. */
export async function removeUser(scim: Scim, id: string, ifMatch: string | undefined): Promise<CallOutcome> {
  const { companyId, name: keyName } = scim.directory;
  const verdict = await runChange(scim, "remove", async (tx) => {
    if (scim.removal === "suspend") await lockSettings(tx, companyId);
    await lockPeople(tx, companyId, [id]);
    const row = await findUser(tx, companyId, id);
    if (!row) throw unknownResource();
    demandMatch(ifMatch, userTag(saidOf(scim, row), row));
    if (scim.removal === "suspend" && row.isActive) {
      const held = await judgeSuspension(tx, scim, id, "remove");
      if (held !== "allowed") return held;
      await suspendPeople(tx, companyId, [id], suspendedBy(keyName));
      await recordByKey(tx, scim, { action: "provisioning.suspend", people: [id] });
    }
    await linkPeople(tx, companyId, [id]);
    await endLinks(tx, companyId, [id]);
    await endHold(tx, id);
    await recordByKey(tx, scim, { action: "provisioning.remove", people: [id] });
    return "allowed" as const;
  });
  if (verdict !== "allowed") throw heldError(verdict);
  return "removed";
}
