import { expect, test } from "vitest";
import { ensureAdmin } from "#server/auth/admins/firstAdmin.ts";
import { start } from "#test/start.ts";

const env = { ADMIN_EMAIL: "boss@example.com", ADMIN_PASSWORD: "wrong mule charger" };

test("a start does not create the admin of ADMIN_EMAIL a second time", async () => {
  const { services, db } = await start(env);
  expect(await ensureAdmin(services)).toHaveLength(1);
  await db.updateTable("users").set({ email: "new@example.com" }).where("email", "=", env.ADMIN_EMAIL).execute();
  expect(await ensureAdmin(services)).toEqual([]);
  const another = { ...services, config: { ...services.config, adminEmail: "rescue@example.com" } };
  expect(await ensureAdmin(another)).toHaveLength(1);
  expect(await db.selectFrom("users").select("email").orderBy("email").execute()).toEqual([
    { email: "new@example.com" },
    { email: "rescue@example.com" },
  ]);
});
