import { randomBytes } from "node:crypto";
import { hashPassword } from "#server/auth/password/hashing.ts";
import { addPassword, weaknessOf } from "#server/auth/password/passwords.ts";
import { inTransaction } from "#server/core/database/db.ts";
import { hashToken } from "#server/core/secrets.ts";
import type { Services } from "#server/core/services.ts";

/** A random password that is easy to type: four groups of characters without look-alikes, 79 bits. */
export const readablePassword = () => {
  const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";
  const letters = Array.from(randomBytes(16), (byte) => alphabet[byte % alphabet.length]);
  return [0, 4, 8, 12].map((at) => letters.slice(at, at + 4).join("")).join("-");
};

/**
 * Creates the first admin if there is none, or the one named by ADMIN_EMAIL, once: if that admin is removed or changes
 * their address, the next start does not create them again. Returns lines to print on the console; a generated password
 * is printed once and stored only as a hash.
 */
export async function ensureAdmin({ db, config }: Services): Promise<string[]> {
  const { adminEmail } = config;
  const hash = adminEmail ? hashToken(adminEmail) : null;
  const settings = db.selectFrom("settings").select("adminEmailHash");
  const isHandled = hash !== null && (await settings.executeTakeFirstOrThrow()).adminEmailHash === hash;
  const admins = db.selectFrom("users").where("role", "=", "admin").select("id");
  const existing = await (adminEmail ? admins.where("email", "=", adminEmail) : admins).executeTakeFirst();
  if (hash && !isHandled) await db.updateTable("settings").set({ adminEmailHash: hash }).execute();
  if (existing || isHandled) return [];
  const email = config.adminEmail ?? "admin@localhost.localdomain";
  const password = config.adminPassword ?? readablePassword();
  const weakness = await weaknessOf(db, password, { email, name: "Admin", companyId: null });
  await createAdmin({ db }, { email, name: "Admin", password });
  const passwordNote = config.adminPassword
    ? "(password from ADMIN_PASSWORD)"
    : `password ${password}  (shown this once)`;
  return [
    `Admin:  ${email}   ${passwordNote}`,
    ...(weakness ? ["        ADMIN_PASSWORD is easy to guess. Choose another one on the account page."] : []),
  ];
}

export async function createAdmin(
  { db }: Pick<Services, "db">,
  { email, name, password }: { email: string; name: string; password: string },
) {
  const hash = await hashPassword(password);
  return inTransaction(db, async (tx) => {
    const { id } = await tx
      .insertInto("users")
      .values({ email, name, role: "admin", status: "active", activatedVia: "admin", emailVerified: true })
      .returning("id")
      .executeTakeFirstOrThrow();
    await addPassword(tx, id, hash);
    return id;
  });
}
