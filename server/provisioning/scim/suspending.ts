import { sql } from "kysely";
import { endSessions } from "#server/auth/service.ts";
import type { Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { lockGroups, reconcileAll } from "#server/groups/membership.ts";
import { notify } from "#server/notifications/notify.ts";
import { recordByKey } from "#server/provisioning/scim/actor.ts";
import { lockSettings, type Scim } from "#server/provisioning/scim/context.ts";
import { ScimError } from "#server/provisioning/scim/scimError.ts";
import texts from "#shared/locales/en/provisioning.json" with { type: "json" };
import { HOLD_HOURS, HOLD_PERCENT } from "#shared/provisioning/provisioning.ts";
import { fillText } from "#shared/variables/templates.ts";

export type Leaving = "suspend" | "remove";
export type Verdict = "allowed" | "waiting" | "refused";

const RETRY_SECONDS = 3600;

/** What the directory is told about a suspension that was not made. */
export const heldError = (verdict: Exclude<Verdict, "allowed">) =>
  verdict === "refused"
    ? new ScimError(403, "An administrator of Lyceum has refused to suspend this person. Nothing was changed.")
    : new ScimError(
        503,
        `More than ${HOLD_PERCENT} % of the people would be suspended within ${HOLD_HOURS} hours. ` +
          "This suspension waits until an administrator of Lyceum decides. Nothing was changed.",
        null,
        RETRY_SECONDS,
      );

/**
 * Whether the directory may suspend one more person now. Beyond the limit the suspension is kept for an admin to decide
 * about, and so are all that follow until then.
 */
export async function judgeSuspension(tx: Tx, scim: Scim, userId: string, kind: Leaving): Promise<Verdict> {
  const { companyId, keyId } = scim.directory;
  const countedFrom = await lockSettings(tx, companyId);
  const { rows } = await sql<{ waiting: number; oldest: string | null; isRefused: boolean; exceeds: boolean }>`
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
      recent.count + 1 > greatest(1, (people.count + recent.count) * ${HOLD_PERCENT} / 100) as exceeds
    from (
      select count(*) as count
      from provisioned_people
      where company_id = ${companyId}
        and suspended_at > greatest(now() - make_interval(hours => ${HOLD_HOURS}), ${countedFrom}::timestamptz)
    ) recent
    cross join (
      select count(*) as count
      from users
      where company_id = ${companyId}
        and role = 'learner'
        and status <> 'suspended'
    ) people`.execute(tx);
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

/** Suspends people of the company, once. Their sessions end. Returns those who were not suspended before. */
export async function suspendPeople(tx: Tx, companyId: string, ids: string[], keyName: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update users
    set status = 'suspended',
      suspended_at = now(),
      suspended_reason = ${fillText(texts.suspendedBy, { name: keyName }).slice(0, 300)},
      version = version + 1
    where ${isOneOf("id", ids)}
      and company_id = ${companyId}
      and role = 'learner'
      and status <> 'suspended'
    returning id`.execute(tx);
  const suspended = rows.map(({ id }) => id);
  await endSessions(tx, suspended);
  await sql`
    update provisioned_people
    set suspended_at = now()
    where ${isOneOf("user_id", suspended)}`.execute(tx);
  return suspended;
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

/** Active again: invited, if they have never logged in. */
export async function reactivate(tx: Tx, scim: Scim, id: string) {
  await sql`
    update users
    set status = case
        when exists (select from auth_accounts where user_id = users.id) then 'active'
        else 'invited'
      end,
      suspended_at = null,
      suspended_reason = '',
      version = version + 1
    where id = ${id}
      and company_id = ${scim.directory.companyId}
      and status = 'suspended'`.execute(tx);
  await recordByKey(tx, scim, { action: "provisioning.reactivate", people: [id] });
}

/** The directory wants the person active: what waited for a decision, or was refused, is over. */
export const endHold = (tx: Tx, id: string) => tx.deleteFrom("provisioningHolds").where("userId", "=", id).execute();
