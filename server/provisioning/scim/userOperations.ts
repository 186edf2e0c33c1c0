import { changeUser } from "#server/provisioning/scim/changeUser.ts";
import type { Scim } from "#server/provisioning/scim/context.ts";
import { createUser } from "#server/provisioning/scim/createUser.ts";
import {
  type Answer,
  type Answered,
  idIn,
  type Operation,
  type Sent,
  answerIfChanged,
} from "#server/provisioning/scim/operation.ts";
import { applyOperations, readOperations } from "#server/provisioning/scim/patch.ts";
import { project, type Projection, readProjection } from "#server/provisioning/scim/projection.ts";
import { answerQuery, queryUsers, readQuery, readSearch } from "#server/provisioning/scim/query.ts";
import { removeUser } from "#server/provisioning/scim/removeUser.ts";
import { keepUnsaid } from "#server/provisioning/scim/keepUnsaid.ts";
import { readResource } from "#server/provisioning/scim/resource.ts";
import { unknownResource } from "#server/provisioning/scim/scimError.ts";
import { userResource } from "#server/provisioning/scim/userResource.ts";
import { findUser } from "#server/provisioning/scim/userRows.ts";
import { scimLimits } from "#shared/provisioning/provisioning.ts";

async function readUser(scim: Scim, id: string): Promise<Answered> {
  const row = await findUser(scim.db, scim.directory.companyId, id);
  if (!row) throw unknownResource();
  return userResource(scim, row);
}

/** Which attributes the answer to a change has; read before anything is changed. */
const shownIn = (scim: Scim, { query }: Sent): Projection => {
  const { attributes, excluded } = readQuery(query);
  return readProjection(scim.users, attributes, excluded);
};

function answerUser(shown: Projection, resource: Answered, answer: Answer): Answer {
  const { location, version } = resource.meta;
  return { body: project(resource, shown), etag: version, location, ...answer };
}

export const userOperations: Operation[] = [
  {
    method: "GET",
    path: "/Users",
    isHeavy: true,
    run: async (scim, { query }) => ({
      body: await answerQuery(scim, readQuery(query), queryUsers),
      outcome: "listed",
    }),
  },
  {
    method: "POST",
    path: "/Users/.search",
    isHeavy: true,
    body: scimLimits.user,
    run: async (scim, { body }) => ({ body: await answerQuery(scim, readSearch(body), queryUsers), outcome: "listed" }),
  },
  {
    method: "POST",
    path: "/Users",
    body: scimLimits.user,
    run: async (scim, sent) => {
      const shown = shownIn(scim, sent);
      const { id, outcome } = await createUser(scim, readResource(scim.users, sent.body));
      return answerUser(shown, await readUser(scim, id), { status: 201, id, outcome });
    },
  },
  {
    method: "GET",
    path: "/Users/:id",
    run: async (scim, sent) => {
      const id = idIn(sent);
      return answerIfChanged(sent, answerUser(shownIn(scim, sent), await readUser(scim, id), { id, outcome: "read" }));
    },
  },
  {
    method: "PUT",
    path: "/Users/:id",
    body: scimLimits.user,
    run: async (scim, sent) => {
      const id = idIn(sent);
      const shown = shownIn(scim, sent);
      const { ifMatch, body } = sent;
      const said = readResource(scim.users, body);
      const change = (before: typeof said) => keepUnsaid(scim, before, said, body);
      const outcome = await changeUser(scim, id, { ifMatch, change });
      return answerUser(shown, await readUser(scim, id), { id, outcome });
    },
  },
  {
    method: "PATCH",
    path: "/Users/:id",
    body: scimLimits.user,
    run: async (scim, sent) => {
      const id = idIn(sent);
      const shown = shownIn(scim, sent);
      const { ifMatch, body } = sent;
      const changes = readOperations(body);
      const outcome = await changeUser(scim, id, {
        ifMatch,
        change: (said, isLenient) => {
          applyOperations(scim.users, said, changes, isLenient);
          return said;
        },
      });
      return answerUser(shown, await readUser(scim, id), { id, outcome });
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
