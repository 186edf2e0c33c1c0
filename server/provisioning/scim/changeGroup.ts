import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { lockGroups, reconcileAll } from "#server/groups/membership.ts";
import { recordByKey, runChange } from "#server/provisioning/scim/actor.ts";
import { groupType } from "#server/provisioning/scim/attributes.ts";
import type { Scim } from "#server/provisioning/scim/context.ts";
import { demandMatch } from "#server/provisioning/scim/etag.ts";
import { findGroup, type GroupRow, groupTag } from "#server/provisioning/scim/groupRows.ts";
import {
  membersMeant,
  type Operation,
  parsePath,
  type Path,
  readMembers,
  tooManyMembers,
} from "#server/provisioning/scim/patch.ts";
import { lockPeople } from "#server/provisioning/scim/locks.ts";
import { MAX_EXTERNAL_ID, tooLongExternalId } from "#server/provisioning/scim/person.ts";
import { isObject, membersOf, readBody, readSingle } from "#server/provisioning/scim/resource.ts";
import { invalidValue, ScimError, unknownResource } from "#server/provisioning/scim/scimError.ts";
import { asTaken } from "#server/provisioning/scim/storePerson.ts";
import { isUuid } from "#shared/core/uuid.ts";
import { groupInput, MAX_GROUPS } from "#shared/groups/groups.ts";
import { type CallOutcome, scimLimits } from "#shared/provisioning/provisioning.ts";

type Group = { name: string; externalId: string | null };

/** A change of one group in a transaction, and whom it concerns. */
type Work = { tx: Tx; scim: Scim; id: string; changed: Set<string> };

function readName(value: unknown): string {
  const parsed = groupInput.shape.name.safeParse(value);
  if (!parsed.success) throw invalidValue("“displayName” must be a string of at most 120 characters.");
  return parsed.data;
}

const readExternalId = (value: unknown) => {
  const held = readSingle({ name: "externalId", type: "string", description: "" }, value);
  if (typeof held !== "string") return null;
  if (held.length > MAX_EXTERNAL_ID) throw tooLongExternalId();
  return held;
};

/** Name, external id and members of a body; members are null if it does not contain them. */
function readGroup(body: unknown): Group & { members: string[] | null } {
  const said = readBody(body, groupType.core.id);
  return {
    name: readName(said.get("displayname")),
    externalId: readExternalId(said.get("externalid")),
    members: said.has("members") ? readMembers(said.get("members")) : null,
  };
}

export function createGroup(scim: Scim, body: unknown): Promise<{ id: string; outcome: CallOutcome }> {
  const { name, externalId, members } = readGroup(body);
  const { companyId } = scim.directory;
  return runChange(scim, "createGroup", async (tx) => {
    await lockMembers(tx, scim, members ?? []);
    await lockGroups(tx, companyId);
    const { count } = await tx
      .selectFrom("groups")
      .where("companyId", "=", companyId)
      .where("removedAt", "is", null)
      .select((e) => e.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    if (count >= MAX_GROUPS) throw new ScimError(409, `A company can have at most ${MAX_GROUPS} groups.`);
    const { id } = await tx
      .insertInto("groups")
      .values({ companyId, name, externalId, provided: true })
      .returning("id")
      .executeTakeFirstOrThrow();
    await recordByKey(tx, scim, { action: "provisioning.createGroup", object: { groups: id } });
    const work = workOn(tx, scim, id);
    await addMembers(work, members ?? []);
    await reconcileMembers(work);
    return { id, outcome: "created" as const };
  }).catch((error: unknown) => {
    throw asTaken(error);
  });
}

const workOn = (tx: Tx, scim: Scim, id: string): Work => ({ tx, scim, id, changed: new Set() });

/** Locks people who will join, so that none of them moves to another company meanwhile. */
const lockMembers = (tx: Tx, { directory }: Scim, ids: string[]) =>
  lockPeople(tx, directory.companyId, ids.filter(isUuid));

/** The ids of people whom operations may add, anywhere in their values. They are validated when they are applied. */
function membersNamed(operations: Operation[]): string[] {
  const named = new Set<string>();
  let count = 0;
  const read = (op: Operation["op"], value: unknown) => {
    const list: unknown[] = Array.isArray(value) ? value : [value];
    count += list.length;
    if (count > scimLimits.members) throw tooManyMembers();
    for (const one of list) {
      const id = isObject(one) ? membersOf(one).get("value") : one;
      if (op !== "remove" && typeof id === "string") named.add(id.toLowerCase());
    }
  };
  for (const { op, path, value } of operations)
    if (path === null && isObject(value)) {
      membersOf(value);
      for (const held of Object.values(value)) read(op, held);
    } else read(op, value);
  return [...named];
}

/** Locks the groups of the company and reads one; 404 for any other than those of the directory. */
async function lockOne(tx: Tx, scim: Scim, id: string, ifMatch: string | undefined): Promise<GroupRow> {
  await lockGroups(tx, scim.directory.companyId);
  const row = await findGroup(tx, scim.directory.companyId, id);
  if (!row) throw unknownResource();
  demandMatch(ifMatch, groupTag(row));
  return row;
}

export function replaceGroup(scim: Scim, id: string, body: unknown, ifMatch: string | undefined): Promise<CallOutcome> {
  const { members, ...group } = readGroup(body);
  return runChange(scim, "updateGroup", async (tx) => {
    await lockMembers(tx, scim, members ?? []);
    const row = await lockOne(tx, scim, id, ifMatch);
    const work = workOn(tx, scim, id);
    await replaceMembers(work, members ?? []);
    return storeGroup(work, row, group);
  }).catch((error: unknown) => {
    throw asTaken(error);
  });
}

/** Changes a group by operations. Those on members change only the rows that they name. */
export async function patchGroup(scim: Scim, id: string, operations: Operation[], ifMatch: string | undefined) {
  const named = membersNamed(operations);
  return runChange(scim, "updateGroup", async (tx) => {
    await lockMembers(tx, scim, named);
    const row = await lockOne(tx, scim, id, ifMatch);
    const group: Group = { name: row.name, externalId: row.externalId };
    const work = workOn(tx, scim, id);
    for (const operation of operations) await apply(work, group, operation);
    return storeGroup(work, row, group);
  }).catch((error: unknown) => {
    throw asTaken(error);
  });
}

async function apply(work: Work, group: Group, { op, path, value }: Operation) {
  if (path !== null) {
    const parsed = parsePath(groupType, path);
    if (parsed) await applyAt(work, group, op, parsed, value);
    return;
  }
  if (op === "remove") throw new ScimError(400, "A remove operation must have a path.", "noTarget");
  if (!isObject(value)) throw invalidValue("Without “path”, “value” must be an object of attributes.");
  for (const [name, held] of Object.entries(value)) {
    const parsed = parsePath(groupType, name, false);
    // Okta sends the id along.
    if (parsed && parsed.attribute.mutability !== "readOnly") await applyAt(work, group, op, parsed, held);
  }
}

async function applyAt(work: Work, group: Group, op: Operation["op"], path: Path, value: unknown) {
  const { attribute, sub, filter } = path;
  if (attribute.name === "members") {
    if (filter) {
      if (op !== "remove" || sub)
        throw new ScimError(400, "Members can be added or removed, but not changed.", "mutability");
      return removeMembers(work, membersMeant(filter));
    }
    if (op === "remove" && (value === undefined || value === null)) return replaceMembers(work, []);
    const ids = readMembers(value);
    if (op === "remove") return removeMembers(work, ids);
    return op === "add" ? addMembers(work, ids) : replaceMembers(work, ids);
  }
  if (attribute.mutability === "readOnly")
    throw new ScimError(400, `“${attribute.name}” cannot be changed.`, "mutability");
  if (attribute.name === "displayName") group.name = readName(op === "remove" ? null : value);
  else group.externalId = op === "remove" ? null : readExternalId(value);
}

async function storeGroup(work: Work, row: GroupRow, { name, externalId }: Group): Promise<CallOutcome> {
  const { tx, scim, id, changed } = work;
  const isRenamed = name !== row.name || externalId !== row.externalId;
  if (!isRenamed && changed.size === 0) return "unchanged";
  await tx
    .updateTable("groups")
    .set({ name, externalId, version: row.version + 1, updatedAt: new Date().toISOString(), updatedBy: null })
    .where("id", "=", id)
    .where("companyId", "=", scim.directory.companyId)
    .execute();
  if (isRenamed) await recordByKey(tx, scim, { action: "provisioning.updateGroup", object: { groups: id } });
  await reconcileMembers(work);
  return "updated";
}

/** Lets the people join and leave. Those who are in by hand stay, and those who are kept out stay out. */
async function reconcileMembers({ tx, scim, id, changed }: Work) {
  if (changed.size > 0) await reconcileAll(tx, scim.directory.companyId, new Map([[id, changed]]));
}

async function recordMembers(
  work: Work,
  action: "provisioning.addMember" | "provisioning.removeMember",
  people: string[],
) {
  for (const person of people) work.changed.add(person);
  await recordByKey(work.tx, work.scim, { action, object: { groups: work.id }, people });
}

async function addMembers(work: Work, ids: string[], isLenient = false) {
  const { tx, scim, id } = work;
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return;
  const known = await findPeople(tx, scim, wanted);
  if (!isLenient && known.length < wanted.length) {
    const unknown = wanted.length - known.length;
    throw invalidValue(
      unknown === 1 ? "1 member is not a user of this company." : `${unknown} members are not users of this company.`,
    );
  }
  const { rows } = await sql<{ userId: string }>`
    insert into group_provided_members (group_id, user_id)
    select ${id}, named.id
    from unnest(${known}::uuid[]) named (id)
    on conflict do nothing
    returning user_id`.execute(tx);
  await recordMembers(
    work,
    "provisioning.addMember",
    rows.map(({ userId }) => userId),
  );
}

/** Those of these ids that are people of the company whom the directory sees. */
async function findPeople(tx: Tx, { directory }: Scim, ids: string[]): Promise<string[]> {
  const valid = ids.filter(isUuid);
  const { rows } = await sql<{ id: string }>`
    select users.id
    from users
    left join provisioned_people on provisioned_people.user_id = users.id
    where ${isOneOf("users.id", valid)}
      and users.company_id = ${directory.companyId}
      and users.role = 'learner'
      and provisioned_people.removed_at is null
    order by users.id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Those who are not in the group are left out: the directory repeats what it is unsure about. */
async function removeMembers(work: Work, ids: string[]) {
  const { rows } = await sql<{ userId: string }>`
    delete from group_provided_members
    where group_id = ${work.id}
      and ${isOneOf("user_id", ids.filter(isUuid))}
    returning user_id`.execute(work.tx);
  await recordMembers(
    work,
    "provisioning.removeMember",
    rows.map(({ userId }) => userId),
  );
}

async function replaceMembers(work: Work, ids: string[]) {
  const { rows } = await sql<{ userId: string }>`
    delete from group_provided_members
    where group_id = ${work.id}
      and not ${isOneOf("user_id", ids.filter(isUuid))}
    returning user_id`.execute(work.tx);
  await recordMembers(
    work,
    "provisioning.removeMember",
    rows.map(({ userId }) => userId),
  );
  // The list of a directory may still contain people who have left.
  await addMembers(work, ids, true);
}
