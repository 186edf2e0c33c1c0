import { userColumns } from "#server/auth/service.ts";
import { withCause } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import type { Services } from "#server/core/services.ts";
import type { ImportRecord } from "#server/imports/lease.ts";
import type { User } from "#shared/core/users.ts";

/** The services, acting as the admin who ordered the work: history, audit log and invitations name this admin. */
export async function asOrderer(services: Services, { orderedBy }: ImportRecord, reason: string): Promise<Ctx<User>> {
  const user = await services.db
    .selectFrom("users")
    .where("id", "=", orderedBy)
    .where("role", "=", "admin")
    .select(userColumns)
    .executeTakeFirst();
  if (!user) throw new Error("the person who ordered the import is no admin any more");
  return { ...services, user, db: withCause(services.db, { actorId: user.id, reason }) };
}
