import { listUses } from "#server/groups/groupRows.ts";
import { lockGroups } from "#server/groups/membership.ts";
import { closeGroup } from "#server/groups/service.ts";
import { recordByKey, runChange } from "#server/provisioning/scim/actor.ts";
import type { Scim } from "#server/provisioning/scim/context.ts";
import { demandMatch } from "#server/provisioning/scim/etag.ts";
import { findGroup, groupTag } from "#server/provisioning/scim/groupRows.ts";
import { ScimError, unknownResource } from "#server/provisioning/scim/scimError.ts";
import type { CallOutcome } from "#shared/provisioning/provisioning.ts";

/** Deletes a group that no rule refers to. Who was in it when stays, for the reports about it. */
export const removeGroup = (scim: Scim, id: string, ifMatch: string | undefined) =>
  runChange(scim, "removeGroup", async (tx): Promise<CallOutcome> => {
    const { companyId } = scim.directory;
    await lockGroups(tx, companyId);
    const row = await findGroup(tx, companyId, id);
    if (!row) throw unknownResource();
    demandMatch(ifMatch, groupTag(row));
    const uses = await listUses(tx, companyId, id);
    if (uses.length > 0)
      throw new ScimError(409, "A group or an enrolment rule in Lyceum refers to this group. Change it there first.");
    await recordByKey(tx, scim, { action: "provisioning.removeGroup", object: { groups: id } });
    await closeGroup(tx, id);
    return "removed";
  });
