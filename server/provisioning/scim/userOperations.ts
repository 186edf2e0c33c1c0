import { changeUser } from "#server/provisioning/scim/changeUser.ts";
import type { Scim } from "#server/provisioning/scim/context.ts";
import { createUser } from "#server/provisioning/scim/createUser.ts";
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
import { applyOperations, readOperations } from "#server/provisioning/scim/patch.ts";
import type { Projection } from "#server/provisioning/scim/projection.ts";
import { queryUsers } from "#server/provisioning/scim/query.ts";
import { removeUser } from "#server/provisioning/scim/removeUser.ts";
import { keepUnsaid } from "#server/provisioning/scim/keepUnsaid.ts";
import { readResource } from "#server/provisioning/scim/resource.ts";
import { unknownResource } from "#server/provisioning/scim/scimError.ts";
import { userResource } from "#server/provisioning/scim/userResource.ts";
import { findUser } from "#server/provisioning/scim/userRows.ts";
import { scimLimits } from "#shared/provisioning/provisioning.ts";

async function answerUser(scim: Scim, id: string, shown: Projection, answer: Answer): Promise<Answer> {
  const row = await findUser(scim.db, scim.directory.companyId, id);
  if (!row) throw unknownResource();
  return answerWith(userResource(scim, row), shown, answer);
}

export const userOperations: Operation[] = [
  listOperation("/Users", queryUsers),
  searchOperation("/Users", queryUsers),
  {
    method: "POST",
    path: "/Users",
    body: scimLimits.user,
    run: async (scim, sent) => {
      const shown = readShown(scim.users, sent);
      const { id, outcome } = await createUser(scim, readResource(scim.users, sent.body));
      return answerUser(scim, id, shown, { status: 201, outcome });
    },
  },
  {
    method: "GET",
    path: "/Users/:id",
    run: async (scim, sent) => {
      const id = idIn(sent);
      return answerIfChanged(sent, await answerUser(scim, id, readShown(scim.users, sent), { outcome: "read" }));
    },
  },
  {
    method: "PUT",
    path: "/Users/:id",
    body: scimLimits.user,
    run: async (scim, sent) => {
      const id = idIn(sent);
      const shown = readShown(scim.users, sent);
      const { ifMatch, body } = sent;
      const said = readResource(scim.users, body);
      const change = (before: typeof said) => keepUnsaid(scim, before, said, body);
      const outcome = await changeUser(scim, id, { ifMatch, change });
      return answerUser(scim, id, shown, { outcome });
    },
  },
  {
    method: "PATCH",
    path: "/Users/:id",
    body: scimLimits.user,
    run: async (scim, sent) => {
      const id = idIn(sent);
      const shown = readShown(scim.users, sent);
      const { ifMatch, body } = sent;
      const changes = readOperations(body);
      const outcome = await changeUser(scim, id, {
        ifMatch,
        change: (said, isLenient) => {
          applyOperations(scim.users, said, changes, isLenient);
          return said;
        },
      });
      return answerUser(scim, id, shown, { outcome });
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
