import { sql } from "kysely";
import { endSessions } from "#server/auth/service.ts";
import type { Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { lockGroups, reconcileAll } from "#server/groups/membership.ts";
import { statusBeforeSuspension } from "#server/learners/suspensions.ts";
import { notify } from "#server/notifications/notify.ts";
import { recordByKey } from "#server/provisioning/scim/actor.ts";
import type { Scim } from "#server/provisioning/scim/context.ts";
import { lockPeople, lockSettings } from "#server/provisioning/scim/locks.ts";
import { ScimError } from "#server/provisioning/scim/scimError.ts";
import texts from "#shared/locales/en/provisioning.json" with { type: "json" };
import { HOLD_HOURS, HOLD_PERCENT } from "#shared/provisioning/provisioning.ts";
import { fillText } from "#shared/variables/templates.ts";

export type Leaving = "suspend" | "remove";
export type Verdict = "allowed" | "waiting" | "refused";

const RETRY_SECONDS = 3600;

/** What the directory is told about a suspension that was not made. */
export const heldError = (verdict: Exclude<Verdict, "allowed">) => {
  const error =
    verdict === "refused"
      ? new ScimError(403, "An administrator of Lyceum has refused to suspend this person. Nothing was changed.")
      : new ScimError(
          503,
          `More than ${HOLD_PERCENT} % of the people would be suspended within ${HOLD_HOURS} hours. ` +
            "This suspension waits until an administrator of Lyceum decides. Nothing was changed.",
          null,
          RETRY_SECONDS,
        );
  return Object.assign(error, { outcome: verdict });
};

/**
 * Whether the directory may suspend one more person now. Beyond the limit the suspension is kept for an admin to decide
 * about, and so are all that follow until then. Counted are people, however often they were suspended, against those
 * who were there before the first of them was, without those whom the directory itself has created meanwhile.
 */
export async function judgeSuspension(tx: Tx, scim: Scim, userId: string, kind: Leaving): Promise<Verdict> {
  const { companyId, keyId } = scim.directory;
  const countedFrom = await lockSettings(tx, companyId);
  const { rows } = await sql<{ waiting: number; isRefused: boolean; exceeds: boolean }>`
    select (
        select count(*)::int
        from provisioning_holds
        where company_id = ${companyId}
          and refused_at is null
      ) as waiting,
      exists (
        select from provisioning_holds
        where user_id = ${userId}
          and refused_at > now() - make_interval(hours => ${HOLD_HOURS})
      ) as is_refused,
      recent.count + 1 > greatest(1, (
        select count(*)
        from users
        left join provisioned_people on provisioned_people.user_id = users.id
        where users.company_id = ${companyId}
          and users.role = 'learner'
          and (users.status <> 'suspended' or provisioned_people.suspended_at > recent.since)
          and users.created_at <= coalesce(recent.first, 'infinity')
          and (
            provisioned_people.created_at is null
            or provisioned_people.created_at > users.created_at
            or users.created_at <= recent.since
          )
      ) * ${HOLD_PERCENT} / 100) as exceeds
    from (
      select said.since,
        count(user_id) filter (where user_id <> ${userId}) as count,
        min(suspended_at) as first
      from (
        select greatest(
          clock_timestamp() - make_interval(hours => ${HOLD_HOURS}),
          ${countedFrom}::timestamptz
        ) as since
      ) said
      left join provisioned_people
        on provisioned_people.company_id = ${companyId}
        and provisioned_people.suspended_at > said.since
      group by said.since
    ) recent`.execute(tx);
  const [found] = rows;
  if (!found || found.isRefused) return "refused";
  if (found.waiting === 0 && !found.exceeds) return "allowed";
  await sql`
    insert into provisioning_holds (user_id, company_id, kind, key_id)
    values (${userId}, ${companyId}, ${kind}, ${keyId})
    on conflict (user_id) do update
      set kind = case
          when provisioning_holds.kind = 'remove' and provisioning_holds.refused_at is null then 'remove'
          else excluded.kind
        end,
        asked_at = case
          when provisioning_holds.refused_at is null then provisioning_holds.asked_at
          else excluded.asked_at
        end,
        refused_at = null,
        refused_by = null`.execute(tx);
  if (found.waiting === 0) await tellAdmins(tx, scim);
  return "waiting";
}

async function tellAdmins(tx: Tx, scim: Scim) {
  const { companyId } = scim.directory;
  const company = await tx
    .selectFrom("companies")
    .where("id", "=", companyId)
    .select(["name", sql<string>`now()::text`.as("now")])
    .executeTakeFirstOrThrow();
  await notify(scim, tx, {
    to: "admins",
    companyId,
    kind: "suspensionsHeld",
    params: { name: company.name, percent: HOLD_PERCENT, hours: HOLD_HOURS },
    link: `/companies/${companyId}?tab=provisioning`,
    key: `suspensionsHeld ${companyId} ${company.now}`,
  });
}

/** Why people whom the directory suspends are suspended, with the name of its key. */
export const suspendedBy = (keyName: string) => fillText(texts.suspendedBy, { name: keyName }).slice(0, 300);

/**
 * Suspends people of the company, once, and links them to the directory. Their sessions end. Returns those who were not
 * suspended before.
 */
export async function suspendPeople(tx: Tx, companyId: string, ids: string[], reason: string): Promise<string[]> {
  await lockPeople(tx, companyId, ids);
  await linkPeople(tx, companyId, ids);
  const { rows } = await sql<{ id: string }>`
    update users
    set status = 'suspended',
      suspended_at = now(),
      suspended_reason = ${reason},
      version = version + 1
    where ${isOneOf("id", ids)}
      and company_id = ${companyId}
      and role = 'learner'
      and status <> 'suspended'
    returning id`.execute(tx);
  const suspended = rows.map(({ id }) => id);
  await endSessions(tx, suspended);
  const counted = await sql`
    update provisioned_people
    set suspended_at = clock_timestamp(),
      inactive_since = users.suspended_at,
      updated_at = now()
    from users
    where users.id = provisioned_people.user_id
      and ${isOneOf("users.id", suspended)}
    returning user_id`.execute(tx);
  if (counted.rows.length < suspended.length) throw new Error("A suspension by a directory would not be counted.");
  return suspended;
}

/** Links people whom the directory has changed nothing of, as they are, without a user name that another person has. */
export async function linkPeople(tx: Tx, companyId: string, ids: string[]) {
  for (const userName of [
    sql`coalesce(users.email, personnel_numbers.number, users.id::text)`,
    sql`users.id::text`,
    // Others may have any of these.
    sql`users.id || ' ' || gen_random_uuid()`,
  ])
    await sql`
      insert into provisioned_people (user_id, company_id, user_name, email)
      select users.id, users.company_id, ${userName}, lower(users.email)
      from users
      left join personnel_numbers on personnel_numbers.user_id = users.id
      where ${isOneOf("users.id", ids)}
        and users.company_id = ${companyId}
        and users.role = 'learner'
      order by users.id
      on conflict do nothing`.execute(tx);
}

/** People whom the directory has deleted: it no longer sees them, and they leave its groups. */
export async function endLinks(tx: Tx, companyId: string, ids: string[]) {
  await sql`
    update provisioned_people
    set removed_at = now(),
      updated_at = now()
    where ${isOneOf("user_id", ids)}
      and company_id = ${companyId}`.execute(tx);
  await lockGroups(tx, companyId);
  const { rows } = await sql<{ groupId: string; userId: string }>`
    delete from group_provided_members
    where ${isOneOf("user_id", ids)}
    returning group_id, user_id`.execute(tx);
  const left = new Map<string, Set<string>>();
  for (const { groupId, userId } of rows) left.set(groupId, (left.get(groupId) ?? new Set()).add(userId));
  if (left.size > 0) await reconcileAll(tx, companyId, left);
}

/**
 * Ends a suspension by the directory: the person is active again, or invited if they have never logged in. That of an
 * admin stays. Returns whether there was one.
 */
export async function reactivate(tx: Tx, scim: Scim, id: string): Promise<boolean> {
  const { rows } = await sql`
    update users
    set status = ${statusBeforeSuspension},
      suspended_at = null,
      suspended_reason = '',
      version = users.version + 1
    from provisioned_people
    where users.id = ${id}
      and users.company_id = ${scim.directory.companyId}
      and users.status = 'suspended'
      and provisioned_people.user_id = users.id
      and provisioned_people.inactive_since = users.suspended_at
    returning users.id`.execute(tx);
  if (rows.length === 0) return false;
  await sql`
    update provisioned_people
    set inactive_since = null,
      updated_at = now()
    where user_id = ${id}`.execute(tx);
  await recordByKey(tx, scim, { action: "provisioning.reactivate", people: [id] });
  return true;
}

/** The directory says that the person is active: what waited for a decision is over. A refusal stays for its day. */
export const endHold = (tx: Tx, id: string) =>
  tx.deleteFrom("provisioningHolds").where("userId", "=", id).where("refusedAt", "is", null).execute();
