import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import type { Person } from "#test/start.ts";

/**
 * Limits an admin to one company; null: to none again. Nobody has this role today: the constraint `users_check` gives
 * every admin the whole academy. Queries take their rows from the scope of the user (`scopeOf` in
 * shared/core/users.ts), and only an account that the constraint forbids can show that they do. Therefore the
 * constraint is dropped in the database of the test file, which no other file uses.
 */
export async function limitToCompany(db: Db, admin: Person, companyId: string | null) {
  await sql`alter table users drop constraint if exists users_check`.execute(db);
  await db.updateTable("users").set({ companyId }).where("id", "=", admin.user.id).execute();
}
