import type { Db } from "#server/core/database/db.ts";
import type { RegistrationAction } from "#shared/events/eventPhases.ts";

/** Who acts: an admin by user id, the guest by the link in the email, or a job. */
export type Actor = { userId: string } | "self" | "system";

/** Logs an action on registrations. `detail` must not contain names or answers: the log outlives them. */
export async function record(tx: Db, registrationIds: string[], action: RegistrationAction, by: Actor, detail = "") {
  if (registrationIds.length === 0) return;
  const actor = typeof by === "string" ? by : ("admin" as const);
  await tx
    .insertInto("eventRegistrationLog")
    .values(
      registrationIds.map((registrationId) => ({
        registrationId,
        action,
        actor,
        byUser: typeof by === "string" ? null : by.userId,
        detail: detail.slice(0, 500),
      })),
    )
    .execute();
}

/** The history of a registration, latest first. */
export async function readLog(db: Db, registrationId: string) {
  const rows = await db
    .selectFrom("eventRegistrationLog")
    .leftJoin("users", "users.id", "eventRegistrationLog.byUser")
    .where("registrationId", "=", registrationId)
    .select(["at", "action", "actor", "users.name", "detail"])
    .orderBy("eventRegistrationLog.id", "desc")
    .execute();
  return rows.map(({ at, action, actor, name, detail }) => ({
    at,
    action,
    by: actor === "admin" ? (name ?? "admin") : actor,
    detail,
  }));
}
