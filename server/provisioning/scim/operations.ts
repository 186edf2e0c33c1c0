import { groupType } from "#server/provisioning/scim/attributes.ts";
import { createGroup, patchGroup, replaceGroup } from "#server/provisioning/scim/changeGroup.ts";
import { changeUser, removeUser, replacing } from "#server/provisioning/scim/changeUser.ts";
import type { Scim } from "#server/provisioning/scim/context.ts";
import { createUser } from "#server/provisioning/scim/createUser.ts";
import { findById, listSchemas, listTypes, providerConfig } from "#server/provisioning/scim/discovery.ts";
import { isTagged } from "#server/provisioning/scim/etag.ts";
import { findGroup, groupResource, groupTag } from "#server/provisioning/scim/groupRows.ts";
import { applyOperations, readOperations } from "#server/provisioning/scim/patch.ts";
import { hasAttribute, project, readProjection } from "#server/provisioning/scim/projection.ts";
import {
  answerQuery,
  listResponse,
  membersOfRows,
  queryAll,
  queryGroups,
  queryUsers,
  readQuery,
  readSearch,
} from "#server/provisioning/scim/query.ts";
import { removeGroup } from "#server/provisioning/scim/removeGroup.ts";
import { readResource } from "#server/provisioning/scim/resource.ts";
import { ScimError, unknownResource } from "#server/provisioning/scim/scimError.ts";
import { userResource } from "#server/provisioning/scim/userResource.ts";
import { findUser } from "#server/provisioning/scim/userRows.ts";
import { type CallOutcome, scimLimits } from "#shared/provisioning/provisioning.ts";

export type Sent = {
  id: string;
  /** The parameters of the address, by lower case. */
  query: Map<string, unknown>;
  body: unknown;
  ifMatch: string | undefined;
  ifNoneMatch: string | undefined;
};
export type Answer = {
  status?: number;
  body?: unknown;
  etag?: string;
  location?: string;
  /** The resource that the call was about. */
  id?: string;
  outcome: CallOutcome;
};
type Operation = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  /** The largest body in bytes. */
  body?: number;
  run: (scim: Scim, sent: Sent) => Promise<Answer>;
};

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const idIn = ({ id }: Sent) => {
  if (!UUID.test(id)) throw unknownResource();
  return id;
};

type Resource = Record<string, unknown> & { meta: { location: string; version: string } };

async function readUser(scim: Scim, id: string): Promise<Resource> {
  const row = await findUser(scim.db, scim.directory.companyId, id);
  if (!row) throw unknownResource();
  return userResource(scim, row);
}

function answerUser(scim: Scim, { query }: Sent, resource: Resource, answer: Answer): Answer {
  const { attributes, excluded } = readQuery(query);
  const { location, version } = resource.meta;
  return {
    body: project(resource, readProjection(scim.users, attributes, excluded)),
    etag: version,
    location,
    ...answer,
  };
}

/** A group without its members, if they were not asked for. */
async function readGroup(scim: Scim, { query }: Sent, id: string): Promise<Resource> {
  const row = await findGroup(scim.db, scim.directory.companyId, id);
  if (!row) throw unknownResource();
  const { attributes, excluded } = readQuery(query);
  const projection = readProjection(groupType, attributes, excluded);
  const members = await membersOfRows(scim, [row], projection);
  return groupResource(scim, row, members.get(id) ?? []);
}

function answerGroup({ query }: Sent, resource: Resource, answer: Answer): Answer {
  const { attributes, excluded } = readQuery(query);
  const { location, version } = resource.meta;
  return {
    body: project(resource, readProjection(groupType, attributes, excluded)),
    etag: version,
    location,
    ...answer,
  };
}

const unlessSame = ({ ifNoneMatch }: Sent, answer: Answer): Answer => {
  if (ifNoneMatch === undefined || !answer.etag || !isTagged(ifNoneMatch, answer.etag)) return answer;
  return { status: 304, etag: answer.etag, outcome: answer.outcome, ...(answer.id && { id: answer.id }) };
};

const refuse =
  (status: number, detail: string): Operation["run"] =>
  async () => {
    throw new ScimError(status, detail);
  };

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
/** RFC 7644, 3.11: a key is for a company, not for one of its people. */
const me = methods.map((method): Operation => ({
  method,
  path: "/Me",
  run: refuse(501, "A key is for a company and not for one of its people, so there is no /Me."),
}));

const users: Operation[] = [
  {
    method: "GET",
    path: "/Users",
    run: async (scim, { query }) => ({
      body: await answerQuery(scim, readQuery(query), queryUsers),
      outcome: "listed",
    }),
  },
  {
    method: "POST",
    path: "/Users/.search",
    body: scimLimits.user,
    run: async (scim, { body }) => ({ body: await answerQuery(scim, readSearch(body), queryUsers), outcome: "listed" }),
  },
  {
    method: "POST",
    path: "/Users",
    body: scimLimits.user,
    run: async (scim, sent) => {
      const { id, outcome } = await createUser(scim, readResource(scim.users, sent.body));
      return answerUser(scim, sent, await readUser(scim, id), { status: 201, id, outcome });
    },
  },
  {
    method: "GET",
    path: "/Users/:id",
    run: async (scim, sent) => {
      const id = idIn(sent);
      return unlessSame(sent, answerUser(scim, sent, await readUser(scim, id), { id, outcome: "read" }));
    },
  },
  {
    method: "PUT",
    path: "/Users/:id",
    body: scimLimits.user,
    run: async (scim, sent) => {
      const id = idIn(sent);
      const { ifMatch, body } = sent;
      const said = readResource(scim.users, body);
      const change = (before: typeof said) => replacing(scim, before, said, body);
      const outcome = await changeUser(scim, id, { ifMatch, isWhole: true, change });
      return answerUser(scim, sent, await readUser(scim, id), { id, outcome });
    },
  },
  {
    method: "PATCH",
    path: "/Users/:id",
    body: scimLimits.user,
    run: async (scim, sent) => {
      const id = idIn(sent);
      const { ifMatch, body } = sent;
      const changes = readOperations(body);
      const outcome = await changeUser(scim, id, {
        ifMatch,
        isWhole: false,
        change: (said) => {
          applyOperations(scim.users, said, changes);
          return said;
        },
      });
      return answerUser(scim, sent, await readUser(scim, id), { id, outcome });
    },
  },
  {
    method: "DELETE",
    path: "/Users/:id",
    run: async (scim, sent) => {
      const id = idIn(sent);
      return { status: 204, id, outcome: await removeUser(scim, id, sent.ifMatch) };
    },
  },
];

const groups: Operation[] = [
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

const described = (body: unknown): Answer => ({ body, outcome: "described" });
/** RFC 7644, 4: descriptions are not filtered. */
const unfiltered = ({ query }: Sent) => {
  if (query.has("filter")) throw new ScimError(403, "Descriptions cannot be filtered.");
};

const discovery: Operation[] = [
  { method: "GET", path: "/ServiceProviderConfig", run: async ({ base }) => described(providerConfig(base)) },
  {
    method: "GET",
    path: "/ResourceTypes",
    run: async (scim, sent) => {
      unfiltered(sent);
      return described(listResponse(listTypes(scim)));
    },
  },
  {
    method: "GET",
    path: "/ResourceTypes/:id",
    run: async (scim, { id }) => described(findById(listTypes(scim), id)),
  },
  {
    method: "GET",
    path: "/Schemas",
    run: async (scim, sent) => {
      unfiltered(sent);
      return described(listResponse(listSchemas(scim)));
    },
  },
  {
    method: "GET",
    path: "/Schemas/:id",
    run: async (scim, { id }) => described(findById(listSchemas(scim), id)),
  },
];

/** What a directory can ask for, by method and path. */
export const operations: Operation[] = [
  ...users,
  ...groups,
  ...discovery,
  ...me,
  {
    method: "POST",
    path: "/.search",
    body: scimLimits.user,
    run: async (scim, { body }) => ({ body: await answerQuery(scim, readSearch(body), queryAll), outcome: "listed" }),
  },
  { method: "POST", path: "/Bulk", run: refuse(501, "Bulk requests are not supported.") },
];
