import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { refuseIfFull } from "#server/auth/account/companySeats.ts";
import { deleteOneTimeTokens } from "#server/auth/oneTimeTokens.ts";
import { isUniqueViolation, type Tx } from "#server/core/database/db.ts";
import { recordByKey, runChange } from "#server/provisioning/scim/actor.ts";
import type { Scim } from "#server/provisioning/scim/context.ts";
import { demandMatch } from "#server/provisioning/scim/etag.ts";
import { lockCompany, lockPeople, lockSettings } from "#server/provisioning/scim/locks.ts";
import { earlierEmailOf, nameOf, readPerson } from "#server/provisioning/scim/person.ts";
import { type Entry, heldIn, type Resource } from "#server/provisioning/scim/resource.ts";
import { ScimError, unknownResource } from "#server/provisioning/scim/scimError.ts";
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
  heldError,
  judgeSuspension,
  reactivate,
  suspendedBy,
  suspendPeople,
} from "#server/provisioning/scim/suspending.ts";
import { saidOf, userTag } from "#server/provisioning/scim/userResource.ts";
import { findUser, type UserRow } from "#server/provisioning/scim/userRows.ts";
import { isUuid } from "#shared/core/uuid.ts";
import type { CallOutcome } from "#shared/provisioning/provisioning.ts";
import { ENTERPRISE } from "#shared/provisioning/schemas.ts";

/** What a call makes of what the directory had said. `isLenient`: what cannot be done is left out. */
type Change = (said: Resource, isLenient: boolean) => Resource;
type Call = { ifMatch: string | undefined; change: Change };

const MAX_TRIES = 4;

/** Changes a person whom the directory sees; 404 for any other. */
export async function changeUser(scim: Scim, id: string, call: Call): Promise<CallOutcome> {
  for (let tries = 1; ; tries++) {
    // Which locks are needed is looked up without any, because the person is not the first of them.
    const seen = await findUser(scim.db, scim.directory.companyId, id);
    if (!seen) throw unknownResource();
    const needs = needsOf(scim, seen, call.change);
    const result = await runChange(scim, "update", (tx) => changeUnder(tx, scim, id, call, needs)).catch(
      (error: unknown) => {
        throw asTaken(error);
      },
    );
    if (typeof result === "string") return result;
    if (result.verdict !== "outdated") throw heldError(result.verdict);
    if (tries === MAX_TRIES) throw new ScimError(503, "The person is being changed. Try again.", null, 2);
  }
}

/** What the locks of a change depend on. */
type Needs = {
  /** What the call says about being active; undefined if nothing. */
  active: boolean | undefined;
  suspends: boolean;
  reactivates: boolean;
  /** A person who is to lead. */
  managerId: string | null;
};

function needsOf(scim: Scim, row: UserRow, change: Change): Needs {
  const { active: _, ...before } = saidOf(scim, row);
  const said = change(structuredClone(before), true);
  const active = typeof said.active === "boolean" ? said.active : undefined;
  const manager = String((heldIn(said, ENTERPRISE, "manager") as Entry | undefined)?.value ?? "").toLowerCase();
  return {
    active,
    suspends: row.isActive && active === false,
    reactivates: !row.isActive && active === true,
    managerId: isUuid(manager) && manager !== row.managerId ? manager : null,
  };
}

type Refused = { verdict: "waiting" | "refused" | "outdated" };

async function changeUnder(
  tx: Tx,
  scim: Scim,
  id: string,
  { ifMatch, change }: Call,
  locked: Needs,
): Promise<CallOutcome | Refused> {
  const { companyId, name: keyName } = scim.directory;
  const company = locked.reactivates ? await lockCompany(tx, companyId) : null;
  if (locked.suspends) await lockSettings(tx, companyId);
  await lockPeople(tx, companyId, locked.managerId ? [id, locked.managerId] : [id]);
  const row = await findUser(tx, companyId, id);
  if (!row) throw unknownResource();
  const needs = needsOf(scim, row, change);
  if (!isDeepStrictEqual(needs, locked)) return { verdict: "outdated" };
  const before = saidOf(scim, row);
  demandMatch(ifMatch, userTag(before, row));
  const store = () => {
    const { active: _, ...said } = before;
    return storeChanges(tx, scim, row, before, { active: row.isActive, ...change(structuredClone(said), false) });
  };
  if (needs.suspends) {
    const verdict = await judgeSuspension(tx, scim, id, "suspend");
    // What waits has to be stored, so nothing is thrown before the transaction ends.
    if (verdict !== "allowed") return { verdict };
    await suspendPeople(tx, companyId, [id], suspendedBy(keyName));
    await recordByKey(tx, scim, { action: "provisioning.suspend", people: [id] });
    return (await isDone(tx, store)) ? "suspended" : "onlySuspended";
  }
  if (needs.active) await endHold(tx, id);
  const changed = await store();
  if (company && (await reactivate(tx, scim, id))) {
    await refuseIfFull(tx, company);
    return "reactivated";
  }
  return changed.length > 0 ? "updated" : "unchanged";
}

/**
 * Does the rest of a suspension if it can be done. A person may have caused that it cannot, for example by an address
 * that another one has now; that must not keep them in.
 */
async function isDone(tx: Tx, rest: () => Promise<unknown>): Promise<boolean> {
  const { rollback } = await savepoint(tx);
  try {
    await rest();
    return true;
  } catch (error) {
    if (!(error instanceof ScimError) && !isUniqueViolation(error)) throw error;
    await rollback();
    return false;
  }
}

async function savepoint(tx: Tx) {
  await sql`savepoint rest`.execute(tx);
  return { rollback: () => sql`rollback to savepoint rest`.execute(tx) };
}

/** Stores what a call changes, and records its names. What others have changed meanwhile stays. */
export async function storeChanges(
  tx: Tx,
  scim: Scim,
  row: UserRow,
  before: Resource,
  said: Resource,
): Promise<string[]> {
  const { id } = row;
  const { companyId } = scim.directory;
  const person = readPerson(scim, said, before, row);
  const changed: string[] = [];
  const isNamed = person.name !== nameOf(before) && person.name !== row.name;
  // An address that is no longer sent stays, because people log in with it.
  const email = person.email === earlierEmailOf(before, row.email === null) ? null : person.email;
  const isOther = email !== null && email !== row.email?.toLowerCase();
  // People who were there before the directory keep their address.
  const isKept = isOther && !row.isProvisioned && row.email !== null;
  const isMoved = isOther && !isKept && !row.isEmailHeld;
  await refuseTaken(tx, scim, id, {
    userName: row.isProvisioned && person.userName === row.userName ? null : person.userName,
    externalId: person.externalId === row.externalId ? null : person.externalId,
    email: isMoved ? email : null,
    number: person.number === row.number ? null : person.number,
  });
  if (isNamed) changed.push("name");
  if (isMoved) changed.push("email");
  if (isNamed || isMoved)
    await tx
      .updateTable("users")
      .set((e) => ({
        ...(isNamed && { name: person.name }),
        ...(isMoved && { email, emailVerified: false, invitationHash: null }),
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
  if (changed.length > 0 || isLinkChanged || !row.isProvisioned)
    await storeLink(tx, scim, id, { ...person, email }, isKept);
  if (isLinkChanged && changed.length === 0) changed.push("attributes");
  if (changed.length > 0)
    await recordByKey(tx, scim, { action: "provisioning.update", people: [id], details: { fields: changed } });
  return changed;
}

const linkOf = ({ active: _, ...said }: Resource) => said;
