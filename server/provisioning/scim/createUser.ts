import { sql } from "kysely";
import { refuseIfFull } from "#server/auth/account/companySeats.ts";
import type { Tx } from "#server/core/database/db.ts";
import { enrolInCompanyCourses, enrolNewLearners } from "#server/courses/enrolments.ts";
import { enrolByRules, notifyOf } from "#server/enrolmentRules/enrolling.ts";
import { writeInvitation } from "#server/learners/invitations.ts";
import { recordByKey, runChange } from "#server/provisioning/scim/actor.ts";
import { lockCompany, lockPeople, lockSettings } from "#server/provisioning/scim/locks.ts";
import { storeChanges } from "#server/provisioning/scim/changeUser.ts";
import type { Scim } from "#server/provisioning/scim/context.ts";
import { type Person, readPerson } from "#server/provisioning/scim/person.ts";
import { keepUnsaid } from "#server/provisioning/scim/keepUnsaid.ts";
import type { Resource } from "#server/provisioning/scim/resource.ts";
import {
  asTaken,
  refuseTaken,
  storeFields,
  storeLink,
  storeManager,
  storeNumber,
} from "#server/provisioning/scim/storePerson.ts";
import {
  endLinks,
  heldError,
  judgeSuspension,
  reactivate,
  suspendedBy,
  suspendPeople,
  type Verdict,
} from "#server/provisioning/scim/suspending.ts";
import { saidOf } from "#server/provisioning/scim/userResource.ts";
import { findUser } from "#server/provisioning/scim/userRows.ts";
import type { CallOutcome } from "#shared/provisioning/provisioning.ts";

/** Creates a person, or brings one back whom the directory has deleted: with the same id, history and courses. */
export async function createUser(scim: Scim, said: Resource): Promise<{ id: string; outcome: CallOutcome }> {
  const { companyId } = scim.directory;
  const person = readPerson(scim, said, {}, null);
  const result = await runChange(scim, "create", async (tx) => {
    const company = await lockCompany(tx, companyId);
    if (!person.isActive) await lockSettings(tx, companyId);
    const earlier = await findRemoved(tx, scim, person);
    await lockPeople(
      tx,
      companyId,
      [earlier, person.managerId].filter((id) => id !== null),
    );
    const back = earlier && (await bringBack(tx, scim, earlier, said));
    if (back && back !== "allowed") return { verdict: back };
    const id = earlier && back ? earlier : await insertPerson(tx, scim, person);
    if (person.isActive) await refuseIfFull(tx, company);
    return { verdict: "allowed" as const, id, outcome: back ? ("returned" as const) : ("created" as const) };
  }).catch((error: unknown) => {
    throw asTaken(error);
  });
  if (result.verdict !== "allowed") throw heldError(result.verdict);
  return result;
}

/**
 * Finds a person whom the directory has deleted: by external id, otherwise by user name or address, because a person
 * who is hired again may have another external id.
 */
async function findRemoved(
  tx: Tx,
  { directory }: Scim,
  { userName, externalId, email }: Person,
): Promise<string | null> {
  const { rows } = await sql<{ userId: string }>`
    select user_id
    from provisioned_people
    join users on users.id = user_id
    where provisioned_people.company_id = ${directory.companyId}
      and users.company_id = ${directory.companyId}
      and removed_at is not null
      and (
        external_id = ${externalId}
        or (
          lower(user_name) = lower(${userName})
          and (external_id is null or ${externalId}::text is null)
        )
        or lower(users.email) = ${email}
      )
    order by (external_id is not distinct from ${externalId}) desc, removed_at desc
    limit 1`.execute(tx);
  return rows[0]?.userId ?? null;
}

async function insertPerson(tx: Tx, scim: Scim, person: Person): Promise<string> {
  await refuseTaken(tx, scim, null, person);
  const { companyId, name: keyName } = scim.directory;
  const { name, email, isActive } = person;
  const { id } = await tx
    .insertInto("users")
    .values({
      email,
      name,
      role: "learner",
      companyId,
      ...(isActive
        ? { status: "invited" as const }
        : {
            status: "suspended" as const,
            suspendedAt: sql<string>`now()`,
            suspendedReason: suspendedBy(keyName),
          }),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await storeLink(tx, scim, id, person);
  if (!isActive)
    await sql`
      update provisioned_people
      set inactive_since = users.suspended_at
      from users
      where users.id = ${id}
        and user_id = users.id`.execute(tx);
  if (person.number !== null) await storeNumber(tx, scim, id, person.number);
  await storeFields(tx, scim, id, person.fields);
  if (person.managerId !== null) await storeManager(tx, scim, id, person.managerId);
  await enrolNewLearners(tx, [id], companyId, "invitation");
  await enrolByRules(tx, [id]);
  if (scim.invites && isActive && email) {
    const isAllowed = sql<boolean>`companies.id = ${companyId}`;
    await writeInvitation(scim, tx, id, { invitedBy: null, isAllowed });
  }
  await recordByKey(tx, scim, { action: "provisioning.create", people: [id] });
  return id;
}

/**
 * Null if the person was erased meanwhile. An inactive person who still has access is suspended, within the limit of
 * suspensions.
 */
async function bringBack(tx: Tx, scim: Scim, id: string, sent: Resource): Promise<Verdict | null> {
  const { companyId, name: keyName } = scim.directory;
  await sql`
    update provisioned_people
    set removed_at = null
    where user_id = ${id}
      and company_id = ${companyId}`.execute(tx);
  const row = await findUser(tx, companyId, id);
  if (!row) return null;
  if (row.isActive && sent.active === false) {
    const verdict = await judgeSuspension(tx, scim, id, "suspend");
    if (verdict !== "allowed") {
      await endLinks(tx, companyId, [id]);
      return verdict;
    }
    await suspendPeople(tx, companyId, [id], suspendedBy(keyName));
    await recordByKey(tx, scim, { action: "provisioning.suspend", people: [id] });
  }
  const before = saidOf(scim, row);
  await storeChanges(tx, scim, row, before, { ...keepUnsaid(scim, before, sent, sent), active: row.isActive });
  if (sent.active !== false) await reactivate(tx, scim, id);
  await enrolInCompanyCourses(tx, id, companyId, "invitation");
  await notifyOf(tx, await enrolByRules(tx, [id]));
  await recordByKey(tx, scim, { action: "provisioning.return", people: [id] });
  return "allowed";
}
