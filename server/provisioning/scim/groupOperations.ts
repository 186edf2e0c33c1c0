import { groupType } from "#server/provisioning/scim/attributes.ts";
import { createGroup, patchGroup, replaceGroup } from "#server/provisioning/scim/changeGroup.ts";
import type { Scim } from "#server/provisioning/scim/context.ts";
import { findGroup, groupResource, groupTag } from "#server/provisioning/scim/groupRows.ts";
import {
  type Answer,
  answerIfChanged,
  answerWith,
  idIn,
  listOperation,
  type Operation,
  readShown,
  searchOperation,
} from "#server/provisioning/scim/operation.ts";
import { readOperations } from "#server/provisioning/scim/patch.ts";
import { hasAttribute, type Projection } from "#server/provisioning/scim/projection.ts";
import { membersOfRows, queryGroups } from "#server/provisioning/scim/query.ts";
import { removeGroup } from "#server/provisioning/scim/removeGroup.ts";
import { unknownResource } from "#server/provisioning/scim/scimError.ts";
import { scimLimits } from "#shared/provisioning/provisioning.ts";

/** A group without its members if they were not asked for or, after a change, are too many for one answer. */
async function answerGroup(scim: Scim, id: string, shown: Projection, answer: Answer): Promise<Answer> {
  const row = await findGroup(scim.db, scim.directory.companyId, id);
  if (!row) throw unknownResource();
  const isShort = answer.outcome !== "read" && row.count > scimLimits.listed;
  const members = isShort ? null : await membersOfRows(scim, [row], shown);
  return answerWith(groupResource(scim, row, members?.get(id) ?? []), shown, answer);
}

export const groupOperations: Operation[] = [
  listOperation("/Groups", queryGroups),
  searchOperation("/Groups", queryGroups),
  {
    method: "POST",
    path: "/Groups",
    isHeavy: true,
    body: scimLimits.group,
    run: async (scim, sent) => {
      const shown = readShown(groupType, sent);
      const { id, outcome } = await createGroup(scim, sent.body);
      return answerGroup(scim, id, shown, { status: 201, outcome });
    },
  },
  {
    method: "GET",
    path: "/Groups/:id",
    isHeavy: true,
    run: async (scim, sent) =>
      answerIfChanged(sent, await answerGroup(scim, idIn(sent), readShown(groupType, sent), { outcome: "read" })),
  },
  {
    method: "PUT",
    path: "/Groups/:id",
    isHeavy: true,
    body: scimLimits.group,
    run: async (scim, sent) => {
      const id = idIn(sent);
      const shown = readShown(groupType, sent);
      const outcome = await replaceGroup(scim, id, sent.body, sent.ifMatch);
      return answerGroup(scim, id, shown, { outcome });
    },
  },
  {
    method: "PATCH",
    path: "/Groups/:id",
    isHeavy: true,
    body: scimLimits.group,
    run: async (scim, sent) => {
      const id = idIn(sent);
      const shown = readShown(groupType, sent);
      const outcome = await patchGroup(scim, id, readOperations(sent.body), sent.ifMatch);
      // The members of a large group are not sent back with each change (RFC 7644, 3.5.2).
      if (!shown.only || !hasAttribute(shown, "members")) {
        const row = await findGroup(scim.db, scim.directory.companyId, id);
        return { status: 204, id, outcome, ...(row && { etag: groupTag(row) }) };
      }
      return answerGroup(scim, id, shown, { outcome });
    },
  },
  {
    method: "DELETE",
    path: "/Groups/:id",
    isHeavy: true,
    run: async (scim, sent) => {
      const id = idIn(sent);
      return { status: 204, id, outcome: await removeGroup(scim, id, sent.ifMatch) };
    },
  },
];
