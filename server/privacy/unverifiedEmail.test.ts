import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { academies } from "#shared/settings/settings.ts";
import { companies } from "#shared/companies/companies.ts";
import { managePath } from "#shared/events/eventRegistrations.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { createEventMaker } from "#test/events.ts";
import { start } from "#test/start.ts";

const setUp = await start();
const { as, make, db } = setUp;
const { createPublished, registerGuest, mailsTo } = createEventMaker(setUp);

/**
 * A person with data under their email only, and an unverified account that someone else created with the same address.
 */
async function createVictimAndStranger() {
  const admin = await make.admin();
  const [company, other] = [await make.company(admin), await make.company(admin)];
  const email = `victim-${randomUUID()}@example.com`;
  const event = await createPublished(admin, { organiserName: "Vic", organiserEmail: email });
  const victim = await registerGuest(event, { email });
  await as(admin)(companies.update, {
    params: { id: company.id },
    body: { contactName: "Vic", contactEmail: email, version: company.version },
  });
  const { version } = (await as(admin)(academies.settings)).body;
  await as(admin)(academies.update, { body: { supportEmail: email, version } });
  const stranger = await make.learner(other.accessCode, "Mallory", email);
  return { admin, company, email, event, victim, stranger };
}

test("exports no data of the address's owner for an unverified account", async () => {
  const { email, victim, stranger, company } = await createVictimAndStranger();
  expect(await mailsTo(email)).not.toHaveLength(0);
  const { body } = await as(stranger)(privacy.export);
  const { mails, contacts, eventRegistrations } = (
    body as unknown as { sections: Record<string, { items: unknown[] }> }
  ).sections;
  expect([mails?.items, contacts?.items, eventRegistrations?.items]).toEqual([[], [], []]);
  expect(JSON.stringify(body)).not.toContain(victim.token);
  expect(JSON.stringify(body)).not.toContain(company.name);
});

test("erases nothing of the address's owner with an unverified account", async () => {
  const { admin, company, email, event, stranger, victim } = await createVictimAndStranger();
  const preview = (await as(stranger)(privacy.preview)).body.holdings.map(({ key }) => key);
  for (const key of ["mails", "contacts", "support", "events.host", "mails.reply", "guest"])
    expect(preview).not.toContain(key);
  const before = await mailsTo(email);
  expect((await as(stranger)(privacy.erase, { body: {} })).status).toBe(200);
  expect(await mailsTo(email)).toEqual(before);
  expect((await as(admin)(companies.get, { params: { id: company.id } })).body).toMatchObject({
    contactName: "Vic",
    contactEmail: email,
  });
  expect((await as(admin)(academies.settings)).body.supportEmail).toBe(email);
  expect(
    await db
      .selectFrom("events")
      .where("id", "=", event.id)
      .select(["organiserEmail", "organiserName"])
      .executeTakeFirst(),
  ).toEqual({ organiserEmail: email, organiserName: "Vic" });
  expect(
    (await db.selectFrom("eventRegistrations").where("id", "=", victim.id).select("email").executeTakeFirst())?.email,
  ).toBe(email);
});

test("exports emails without tokens once the address is verified", async () => {
  const { email, victim, stranger } = await createVictimAndStranger();
  await db.updateTable("users").set({ emailVerified: true }).where("id", "=", stranger.user.id).execute();
  const { mails } = (
    (await as(stranger)(privacy.export)).body as unknown as { sections: Record<string, { items: { body: string }[] }> }
  ).sections;
  expect(mails?.items).toHaveLength(1);
  expect(mails?.items[0]?.body).toContain(managePath("…"));
  expect(mails?.items[0]?.body).not.toContain(victim.token);
  expect(await mailsTo(email)).toHaveLength(1);
});
