import { isDeepStrictEqual } from "node:util";
import { refuseIfFull } from "#server/auth/account/companySeats.ts";
import { deleteOneTimeTokens } from "#server/auth/oneTimeTokens.ts";
import type { Tx } from "#server/core/database/db.ts";
import { changing, recordByKey } from "#server/provisioning/scim/actor.ts";
import { ENTERPRISE, FIELDS } from "#server/provisioning/scim/attributes.ts";
import type { Scim } from "#server/provisioning/scim/context.ts";
import { demandMatch } from "#server/provisioning/scim/etag.ts";
import { nameOf, type Person, readPerson } from "#server/provisioning/scim/person.ts";
import { heldIn, isObject, membersOf, type Resource, setHeld } from "#server/provisioning/scim/resource.ts";
import { unknownResource } from "#server/provisioning/scim/scimError.ts";
import {
  asTaken,
  refuseTaken,
  storeFields,
  storeLink,
  storeManager,
  storeNumber,
} from "#server/provisioning/scim/storePerson.ts";
import {
  endHold,
  endLinks,
  heldError,
  judgeSuspension,
  reactivate,
  suspendPeople,
} from "#server/provisioning/scim/suspending.ts";
import { saidOf, splitMapped, userTag } from "#server/provisioning/scim/userResource.ts";
import { findUser, type UserRow } from "#server/provisioning/scim/userRows.ts";
import { type CallOutcome, mappable } from "#shared/provisioning/provisioning.ts";

type Change = {
  ifMatch: string | undefined;
  /** All of the person is sent, not only what changes. */
  isWhole: boolean;
  change: (said: Resource) => Resource;
};

/** Changes a person whom the directory sees; 404 for any other. */
export async function changeUser(scim: Scim, id: string, { ifMatch, isWhole, change }: Change): Promise<CallOutcome> {
  const result = await changing(scim, "update", async (tx) => {
    const row = await findUser(tx, scim.directory.companyId, id, true);
    if (!row) throw unknownResource();
    const before = saidOf(scim, row);
    demandMatch(ifMatch, userTag(before, row));
    const said = change(structuredClone(before));
    const person = readPerson(scim, said, before);
    if (row.isActive && !person.isActive) {
      const verdict = await judgeSuspension(tx, scim, id, "suspend");
      // What waits has to be stored, so nothing is thrown before the transaction ends.
      if (verdict !== "allowed") return { verdict };
    }
    await refuseTaken(tx, scim, id, person);
    const outcome = await storeChanges(tx, scim, row, person, { isWhole, before, said });
    return { verdict: "allowed" as const, outcome };
  }).catch((error: unknown) => {
    throw asTaken(error);
  });
  if (result.verdict !== "allowed") throw heldError(result.verdict);
  return result.outcome;
}

type Said = { isWhole: boolean; before: Resource; said: Resource };

/** Stores what differs, and records its names. */
export async function storeChanges(
  tx: Tx,
  scim: Scim,
  row: UserRow,
  person: Person,
  { isWhole, before, said }: Said,
): Promise<CallOutcome> {
  const { id } = row;
  const { companyId, name: keyName } = scim.directory;
  const changed: string[] = [];
  const isNamed = isWhole ? person.name !== row.name : person.name !== nameOf(before);
  // An address that is no longer sent stays, because people log in with it.
  const isMoved = person.email !== null && person.email !== row.email?.toLowerCase();
  if (isNamed) changed.push("name");
  if (isMoved) changed.push("email");
  if (isNamed || isMoved)
    await tx
      .updateTable("users")
      .set((e) => ({
        ...(isNamed && { name: person.name }),
        ...(isMoved && { email: person.email, emailVerified: false, invitationHash: null }),
        version: e("version", "+", 1),
        updatedAt: new Date().toISOString(),
      }))
      .where("id", "=", id)
      .where("companyId", "=", companyId)
      .execute();
  if (isMoved) await deleteOneTimeTokens(tx, id);
  if (person.number !== row.number) {
    await storeNumber(tx, scim, id, person.number);
    changed.push("personnelNumber");
  }
  if (person.managerId !== row.managerId) {
    await storeManager(tx, scim, id, person.managerId);
    changed.push("manager");
  }
  if (Object.keys(person.fields).length > 0) {
    await storeFields(tx, scim, id, person.fields);
    changed.push("fields");
  }
  const isLinkChanged = !isDeepStrictEqual(linkOf(before), linkOf(said));
  if (changed.length > 0 || isLinkChanged || !row.isProvisioned) await storeLink(tx, scim, id, person);
  if (isLinkChanged && changed.length === 0) changed.push("attributes");
  if (changed.length > 0)
    await recordByKey(tx, scim, { action: "provisioning.update", people: [id], details: { fields: changed } });
  if (row.isActive && !person.isActive) {
    await suspendPeople(tx, companyId, [id], keyName);
    await recordByKey(tx, scim, { action: "provisioning.suspend", people: [id] });
    return "suspended";
  }
  if (person.isActive) await endHold(tx, id);
  if (!row.isActive && person.isActive) {
    await reactivate(tx, scim, id);
    const company = await tx
      .selectFrom("companies")
      .where("id", "=", companyId)
      .select(["id", "learnerLimit"])
      .forUpdate()
      .executeTakeFirstOrThrow();
    await refuseIfFull(tx, company);
    return "reactivated";
  }
  return changed.length > 0 ? "updated" : "unchanged";
}

const linkOf = ({ active: _, ...said }: Resource) => said;

/**
 * What a body that replaces a person says, with what it leaves out of the things that Lyceum also knows from others:
 * whether they are active, number, manager and fields. Null removes them.
 */
export function replacing(scim: Scim, before: Resource, said: Resource, body: unknown): Resource {
  const after = structuredClone(said);
  const keep = (urn: string | null, name: string) => {
    const held = heldIn(before, urn, name);
    if (held !== undefined && heldIn(after, urn, name) === undefined && !isCleared(body, urn, name))
      setHeld(after, urn, name, held);
  };
  keep(null, "active");
  keep(ENTERPRISE, "employeeNumber");
  keep(ENTERPRISE, "manager");
  for (const { key } of scim.unmapped) keep(FIELDS, key);
  for (const path of mappable) {
    const { urn, name } = splitMapped(path);
    if (scim.mapping[path]) keep(urn, name);
  }
  return after;
}

function isCleared(body: unknown, urn: string | null, name: string) {
  const members = isObject(body) ? membersOf(body) : new Map<string, unknown>();
  const extension = urn === null ? members : members.get(urn.toLowerCase());
  if (urn !== null && !isObject(extension)) return false;
  const of = urn === null ? members : membersOf(extension as Record<string, unknown>);
  const value = of.get(name.toLowerCase());
  return of.has(name.toLowerCase()) && (value === null || value === "");
}

/** What follows when the directory deletes a person: it sees them no longer, whatever becomes of their access. */
export async function removeUser(scim: Scim, id: string, ifMatch: string | undefined): Promise<CallOutcome> {
  const { companyId, name: keyName } = scim.directory;
  const verdict = await changing(scim, "remove", async (tx) => {
    const row = await findUser(tx, companyId, id, true);
    if (!row) throw unknownResource();
    const said = saidOf(scim, row);
    demandMatch(ifMatch, userTag(said, row));
    const suspends = scim.removal === "suspend" && row.isActive;
    if (suspends) {
      const held = await judgeSuspension(tx, scim, id, "remove");
      if (held !== "allowed") return held;
    }
    if (!row.isProvisioned) await storeLink(tx, scim, id, readPerson(scim, said, said));
    if (suspends) {
      await suspendPeople(tx, companyId, [id], keyName);
      await recordByKey(tx, scim, { action: "provisioning.suspend", people: [id] });
    }
    await endLinks(tx, companyId, [id]);
    await endHold(tx, id);
    await recordByKey(tx, scim, { action: "provisioning.remove", people: [id] });
    return "allowed" as const;
  });
  if (verdict !== "allowed") throw heldError(verdict);
  return "removed";
}
