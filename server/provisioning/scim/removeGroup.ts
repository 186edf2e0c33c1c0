import { sql } from "kysely";
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
    const { rows } = await sql`
      select 1
      from group_rule_uses uses
      join groups on groups.id = uses.group_id
      where uses.kind = 'group'
        and uses.target = ${id}
        and groups.removed_at is null
      union all
      select 1
      from enrolment_rule_uses uses
      join enrolment_rules on enrolment_rules.id = uses.rule_id
      where uses.kind = 'group'
        and uses.target = ${id}
        and enrolment_rules.removed_at is null
      limit 1`.execute(tx);
    if (rows.length > 0)
      throw new ScimError(409, "A group or an enrolment rule in Lyceum refers to this group. Change it there first.");
    await recordByKey(tx, scim, { action: "provisioning.removeGroup", object: { groups: id } });
    await closeGroup(tx, id);
    return "removed";
  });
