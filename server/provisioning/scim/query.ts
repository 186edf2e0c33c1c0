import { type RawBuilder, sql } from "kysely";
import { groupType, type ResourceType } from "#server/provisioning/scim/attributes.ts";
import { inTransaction, isTimeout } from "#server/core/database/db.ts";
import { type Scim, within } from "#server/provisioning/scim/context.ts";
import { parseFilter } from "#server/provisioning/scim/filter.ts";
import { type Columns, compileFilter, compileOrder } from "#server/provisioning/scim/filterSql.ts";
import {
  countGroups,
  groupColumns,
  groupResource,
  type GroupRow,
  listGroups,
  listMembers,
  type MemberRow,
} from "#server/provisioning/scim/groupRows.ts";
import { hasAttribute, project, type Projection, readProjection } from "#server/provisioning/scim/projection.ts";
import { readBody } from "#server/provisioning/scim/resource.ts";
import { invalidValue, ScimError } from "#server/provisioning/scim/scimError.ts";
import { userResource } from "#server/provisioning/scim/userResource.ts";
import { countUsers, listUsers, userColumns } from "#server/provisioning/scim/userRows.ts";
import { scimLimits } from "#shared/provisioning/provisioning.ts";

const LIST = "urn:ietf:params:scim:api:messages:2.0:ListResponse";
const SEARCH = "urn:ietf:params:scim:api:messages:2.0:SearchRequest";
const DEFAULT_COUNT = 100;

/** A query (RFC 7644, 3.4.2), from the address or from the body of a search. */
export type Query = {
  filter: string | null;
  sortBy: string | null;
  isDescending: boolean;
  startIndex: number;
  count: number;
  attributes: string[] | null;
  excluded: string[] | null;
};

export function readQuery(members: Map<string, unknown>): Query {
  const text = (name: string) => {
    const value = members.get(name.toLowerCase()) ?? null;
    if (value !== null && typeof value !== "string") throw invalidValue(`“${name}” must be a string.`);
    return value === "" ? null : value;
  };
  const whole = (name: string, otherwise: number) => {
    const value = members.get(name.toLowerCase());
    if (value === undefined || value === null || value === "") return otherwise;
    const number = typeof value === "number" || typeof value === "string" ? Number(value) : NaN;
    if (!Number.isInteger(number)) throw invalidValue(`“${name}” must be an integer.`);
    return number;
  };
  const names = (name: string) => {
    const value = members.get(name.toLowerCase());
    const list = typeof value === "string" ? value.split(",") : (value ?? []);
    if (!Array.isArray(list) || !list.every((one) => typeof one === "string"))
      throw invalidValue(`“${name}” must be a list of names.`);
    const given = list.filter((one) => one.trim() !== "");
    return given.length > 0 ? given : null;
  };
  const order = text("sortOrder")?.toLowerCase() ?? "ascending";
  if (order !== "ascending" && order !== "descending")
    throw invalidValue("“sortOrder” must be ascending or descending.");
  return {
    filter: text("filter"),
    sortBy: text("sortBy"),
    isDescending: order === "descending",
    startIndex: Math.min(Math.max(1, whole("startIndex", 1)), 1_000_000_000),
    count: Math.min(Math.max(0, whole("count", DEFAULT_COUNT)), scimLimits.page),
    attributes: names("attributes"),
    excluded: names("excludedAttributes"),
  };
}

export function readSearch(body: unknown): Query {
  return readQuery(readBody(body, SEARCH));
}

type Part = { total: number; resources: Record<string, unknown>[] };
type Window = { limit: number; offset: number };

const conditions = (type: ResourceType, columns: Columns, { filter, sortBy, isDescending }: Query) => ({
  where: filter === null ? sql<boolean>`true` : compileFilter(type, columns, parseFilter(filter)),
  order: sortBy === null ? null : compileOrder(type, columns, sortBy, isDescending),
});

/** The rows of a part of the list, and how many there are; counted only if they do not show it. */
async function readPart<Row>(
  { limit, offset }: Window,
  read: () => Promise<Row[]>,
  count: () => Promise<number>,
): Promise<{ rows: Row[]; total: number }> {
  const rows = limit > 0 ? await read() : [];
  const isLast = limit > 0 && rows.length < limit && (rows.length > 0 || offset === 0);
  return { rows, total: isLast ? offset + rows.length : await count() };
}

export async function queryUsers(scim: Scim, query: Query, window: Window): Promise<Part> {
  const { companyId } = scim.directory;
  const { where, order } = conditions(scim.users, userColumns(scim), query);
  const projection = readProjection(scim.users, query.attributes, query.excluded);
  const slice = { where, order: order ?? sql`u.created_at`, ...window };
  const { rows, total } = await readPart(
    window,
    () => listUsers(scim.db, companyId, slice),
    () => countUsers(scim.db, companyId, where),
  );
  return { total, resources: rows.map((row) => project(userResource(scim, row), projection)) };
}

export async function queryGroups(scim: Scim, query: Query, window: Window): Promise<Part> {
  const { companyId } = scim.directory;
  const { where, order } = conditions(groupType, groupColumns, query);
  const projection = readProjection(groupType, query.attributes, query.excluded);
  const slice: { where: RawBuilder<boolean>; order: RawBuilder<unknown> } & Window = {
    where,
    order: order ?? sql`g.created_at`,
    ...window,
  };
  const { rows, total } = await readPart(
    window,
    () => listGroups(scim.db, companyId, slice),
    () => countGroups(scim.db, companyId, where),
  );
  const members = await membersOfRows(scim, rows, projection);
  return {
    total,
    resources: rows.map((row) => project(groupResource(scim, row, members.get(row.id) ?? []), projection)),
  };
}

/** Members, unless they were not asked for. */
export async function membersOfRows(scim: Scim, rows: GroupRow[], projection: Projection) {
  const members = new Map<string, MemberRow[]>();
  if (!hasAttribute(projection, "members")) return members;
  if (rows.reduce((sum, { count }) => sum + count, 0) > scimLimits.listed)
    throw new ScimError(
      400,
      "These groups have too many members for one answer. Ask with excludedAttributes=members, or for fewer groups.",
      "tooMany",
    );
  for (const member of await listMembers(
    scim.db,
    rows.filter(({ count }) => count > 0).map(({ id }) => id),
  )) {
    const of = members.get(member.groupId);
    if (of) of.push(member);
    else members.set(member.groupId, [member]);
  }
  return members;
}

/** People and then groups, as one list. */
export async function queryAll(scim: Scim, query: Query, { limit, offset }: Window): Promise<Part> {
  const users = await unlessForeign(() => queryUsers(scim, query, { limit, offset }));
  const rest = Math.max(0, limit - (users?.resources.length ?? 0));
  const before = Math.max(0, offset - (users?.total ?? 0));
  const groups = await unlessForeign(() => queryGroups(scim, query, { limit: rest, offset: before }));
  if (!users && !groups) return queryUsers(scim, query, { limit, offset });
  return {
    total: (users?.total ?? 0) + (groups?.total ?? 0),
    resources: [...(users?.resources ?? []), ...(groups?.resources ?? [])],
  };
}

/** Null if a filter or an order is about attributes that this kind of resource does not have. */
const unlessForeign = (read: () => Promise<Part>) =>
  read().catch((error: unknown) => {
    if (error instanceof ScimError && (error.scimType === "invalidFilter" || error.scimType === "invalidPath"))
      return null;
    throw error;
  });

/** A statement that a filter or an order makes too slow is ended (RFC 7644, 3.12). */
const MAX_SECONDS = 5;
const tooSlow = () =>
  new ScimError(
    400,
    `The list takes longer than ${MAX_SECONDS} seconds. Filter by userName, externalId, emails.value or members.value.`,
    "tooMany",
  );

export async function answerQuery(scim: Scim, query: Query, read: typeof queryUsers) {
  const { total, resources } = await inTransaction(scim.db, async (tx) => {
    await sql`set local statement_timeout = ${sql.lit(`${MAX_SECONDS}s`)}`.execute(tx);
    return read(within(scim, tx), query, { limit: query.count, offset: query.startIndex - 1 });
  }).catch((error: unknown) => {
    throw isTimeout(error) ? tooSlow() : error;
  });
  return listResponse(resources, total, query.startIndex);
}

export const listResponse = (resources: unknown[], total = resources.length, startIndex = 1) => ({
  schemas: [LIST],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});
