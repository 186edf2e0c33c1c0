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
  unlessSame,
} from "#server/provisioning/scim/operation.ts";
import { readOperations } from "#server/provisioning/scim/patch.ts";
import { hasAttribute, project, readProjection } from "#server/provisioning/scim/projection.ts";
import { answerQuery, membersOfRows, queryGroups, readQuery, readSearch } from "#server/provisioning/scim/query.ts";
import { removeGroup } from "#server/provisioning/scim/removeGroup.ts";
import { unknownResource } from "#server/provisioning/scim/scimError.ts";
import { scimLimits } from "#shared/provisioning/provisioning.ts";

/** A group without its members, if they were not asked for. */
async function readGroup(scim: Scim, { query }: Sent, id: string): Promise<Answered> {
  const row = await findGroup(scim.db, scim.directory.companyId, id);
  if (!row) throw unknownResource();
  const { attributes, excluded } = readQuery(query);
  const projection = readProjection(groupType, attributes, excluded);
  const members = await membersOfRows(scim, [row], projection);
  return groupResource(scim, row, members.get(id) ?? []);
}

function answerGroup({ query }: Sent, resource: Answered, answer: Answer): Answer {
  const { attributes, excluded } = readQuery(query);
  const { location, version } = resource.meta;
  return {
    body: project(resource, readProjection(groupType, attributes, excluded)),
    etag: version,
    location,
    ...answer,
  };
}

export const groupOperations: Operation[] = [
  {
    method: "GET",
    path: "/Groups",
    run: async (scim, { query }) => ({
      body: await answerQuery(scim, readQuery(query), queryGroups),
      outcome: "listed",
    }),
  },
  {
    method: "POST",
    path: "/Groups/.search",
    body: scimLimits.user,
    run: async (scim, { body }) => ({
      body: await answerQuery(scim, readSearch(body), queryGroups),
      outcome: "listed",
    }),
  },
  {
    method: "POST",
    path: "/Groups",
    body: scimLimits.group,
    run: async (scim, sent) => {
      const { id, outcome } = await createGroup(scim, sent.body);
      return answerGroup(sent, await readGroup(scim, sent, id), { status: 201, id, outcome });
    },
  },
  {
    method: "GET",
    path: "/Groups/:id",
    run: async (scim, sent) => {
      const id = idIn(sent);
      return unlessSame(sent, answerGroup(sent, await readGroup(scim, sent, id), { id, outcome: "read" }));
    },
  },
  {
    method: "PUT",
    path: "/Groups/:id",
    body: scimLimits.group,
    run: async (scim, sent) => {
      const id = idIn(sent);
      const outcome = await replaceGroup(scim, id, sent.body, sent.ifMatch);
      return answerGroup(sent, await readGroup(scim, sent, id), { id, outcome });
    },
  },
  {
    method: "PATCH",
    path: "/Groups/:id",
    body: scimLimits.group,
    run: async (scim, sent) => {
      const id = idIn(sent);
      const outcome = await patchGroup(scim, id, readOperations(sent.body), sent.ifMatch);
      const { attributes, excluded } = readQuery(sent.query);
      // The members of a large group are not sent back with each change (RFC 7644, 3.5.2).
      if (!attributes || !hasAttribute(readProjection(groupType, attributes, excluded), "members")) {
        const row = await findGroup(scim.db, scim.directory.companyId, id);
        return { status: 204, id, outcome, ...(row && { etag: groupTag(row) }) };
      }
      return answerGroup(sent, await readGroup(scim, sent, id), { id, outcome });
    },
  },
  {
    method: "DELETE",
    path: "/Groups/:id",
    run: async (scim, sent) => {
      const id = idIn(sent);
      return { status: 204, id, outcome: await removeGroup(scim, id, sent.ifMatch) };
    },
  },
];
