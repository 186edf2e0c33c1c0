import { groupType } from "#server/provisioning/scim/attributes.ts";
import { createGroup, patchGroup, replaceGroup } from "#server/provisioning/scim/changeGroup.ts";
import type { Scim } from "#server/provisioning/scim/context.ts";
import { findGroup, groupResource, groupTag } from "#server/provisioning/scim/groupRows.ts";
import {
  type Answer,
  type Answered,
  idIn,
  type Operation,
  type Sent,
  answerIfChanged,
} from "#server/provisioning/scim/operation.ts";
import { readOperations } from "#server/provisioning/scim/patch.ts";
import { hasAttribute, project, type Projection, readProjection } from "#server/provisioning/scim/projection.ts";
import { answerQuery, membersOfRows, queryGroups, readQuery, readSearch } from "#server/provisioning/scim/query.ts";
import { removeGroup } from "#server/provisioning/scim/removeGroup.ts";
import { unknownResource } from "#server/provisioning/scim/scimError.ts";
import { scimLimits } from "#shared/provisioning/provisioning.ts";

/** Which attributes an answer has; of a change read before anything is changed. */
const shownIn = ({ query }: Sent): Projection => {
  const { attributes, excluded } = readQuery(query);
  return readProjection(groupType, attributes, excluded);
};

/** A group without its members if they were not asked for or, after a change, are too many for one answer. */
async function answerGroup(scim: Scim, id: string, shown: Projection, answer: Answer): Promise<Answer> {
  const row = await findGroup(scim.db, scim.directory.companyId, id);
  if (!row) throw unknownResource();
  const isShort = answer.outcome !== "read" && row.count > scimLimits.listed;
  const members = isShort ? null : await membersOfRows(scim, [row], shown);
  const resource: Answered = groupResource(scim, row, members?.get(id) ?? []);
  const { location, version } = resource.meta;
  return { body: project(resource, shown), etag: version, location, id, ...answer };
}

export const groupOperations: Operation[] = [
  {
    method: "GET",
    path: "/Groups",
    isHeavy: true,
    run: async (scim, { query }) => ({
      body: await answerQuery(scim, readQuery(query), queryGroups),
      outcome: "listed",
    }),
  },
  {
    method: "POST",
    path: "/Groups/.search",
    isHeavy: true,
    body: scimLimits.user,
    run: async (scim, { body }) => ({
      body: await answerQuery(scim, readSearch(body), queryGroups),
      outcome: "listed",
    }),
  },
  {
    method: "POST",
    path: "/Groups",
    isHeavy: true,
    body: scimLimits.group,
    run: async (scim, sent) => {
      const shown = shownIn(sent);
      const { id, outcome } = await createGroup(scim, sent.body);
      return answerGroup(scim, id, shown, { status: 201, outcome });
    },
  },
  {
    method: "GET",
    path: "/Groups/:id",
    isHeavy: true,
    run: async (scim, sent) =>
      answerIfChanged(sent, await answerGroup(scim, idIn(sent), shownIn(sent), { outcome: "read" })),
  },
  {
    method: "PUT",
    path: "/Groups/:id",
    isHeavy: true,
    body: scimLimits.group,
    run: async (scim, sent) => {
      const id = idIn(sent);
      const shown = shownIn(sent);
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
      const shown = shownIn(sent);
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
