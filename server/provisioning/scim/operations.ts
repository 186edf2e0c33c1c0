import { findById, listSchemas, listTypes, providerConfig } from "#server/provisioning/scim/discovery.ts";
import { groupOperations } from "#server/provisioning/scim/groupOperations.ts";
import { type Answer, type Operation, searchOperation, type Sent } from "#server/provisioning/scim/operation.ts";
import { listResponse, queryAll } from "#server/provisioning/scim/query.ts";
import { ScimError } from "#server/provisioning/scim/scimError.ts";
import { userOperations } from "#server/provisioning/scim/userOperations.ts";

const refuse =
  (status: number, detail: string): Operation["run"] =>
  async () => {
    throw new ScimError(status, detail);
  };

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
/** RFC 7644, 3.7 and 3.11. */
const unsupported = methods.flatMap((method): Operation[] => [
  {
    method,
    path: "/Me",
    run: refuse(501, "A key belongs to a company and not to a person, so there is no /Me."),
  },
  { method, path: "/Bulk", run: refuse(501, "Bulk requests are not supported.") },
]);

const described = (body: unknown): Answer => ({ body, outcome: "described" });
/** RFC 7644, 4: descriptions are not filtered. */
const refuseFilter = ({ query }: Sent) => {
  if (query.has("filter")) throw new ScimError(403, "Descriptions cannot be filtered.");
};

const discovery: Operation[] = [
  { method: "GET", path: "/ServiceProviderConfig", run: async ({ base }) => described(providerConfig(base)) },
  {
    method: "GET",
    path: "/ResourceTypes",
    run: async (scim, sent) => {
      refuseFilter(sent);
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
      refuseFilter(sent);
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
  ...unsupported,
  searchOperation("", queryAll),
];

/** The methods of an address below `/scim/v2`; empty if there is nothing. */
export function methodsOf(address: string): string[] {
  const parts = address.split("/");
  const found = operations.filter(({ path }) => {
    const named = path.split("/");
    return named.length === parts.length && named.every((one, at) => one.startsWith(":") || one === parts[at]);
  });
  return [...new Set(found.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])))];
}
