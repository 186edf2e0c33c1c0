import { findById, listSchemas, listTypes, providerConfig } from "#server/provisioning/scim/discovery.ts";
import { groupOperations } from "#server/provisioning/scim/groupOperations.ts";
import type { Answer, Operation, Sent } from "#server/provisioning/scim/operation.ts";
import { answerQuery, listResponse, queryAll, readSearch } from "#server/provisioning/scim/query.ts";
import { ScimError } from "#server/provisioning/scim/scimError.ts";
import { userOperations } from "#server/provisioning/scim/userOperations.ts";
import { scimLimits } from "#shared/provisioning/provisioning.ts";

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
  ...userOperations,
  ...groupOperations,
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
