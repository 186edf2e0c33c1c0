import { expect, test } from "vitest";
import { accounts } from "#shared/auth/account.ts";
import { CALENDAR_PATH } from "#shared/events/events.ts";
import { academies } from "#shared/settings/settings.ts";
import { start } from "#test/start.ts";

const { app, as, make, db } = await start({ CONSENT_STRICT: "true" });

test("publishes the academy by API and in every page, escaped", async () => {
  const admin = await make.admin();
  const { body: before } = await as(admin)(academies.settings);
  const saved = await as(admin)(academies.update, {
    body: { academyName: "A </script><b>", color: "#244F7B", version: before.version },
  });
  expect(saved).toMatchObject({ status: 200, body: { color: "#244f7b", version: before.version + 1 } });
  expect((await as(null)(academies.read)).body).toMatchObject({
    name: "A </script><b>",
    color: "#244f7b",
    policyUrl: "/privacy-policy",
    consent: { strict: true },
  });
  const page = await app.inject({ url: "/", headers: { host: "localhost" } });
  expect(page.body).not.toContain("</script><b>");
  await as(admin)(academies.update, { body: { academyName: "Lyceum", version: saved.body.version } });
});

test("uses the academy's name in pages, emails, calendars, apps and passkeys", async () => {
  const { admin, learner } = await make.classroom();
  const { body: before } = await as(admin)(academies.settings);
  const { body: named } = await as(admin)(academies.update, {
    body: {
      academyName: "Nordic: Training",
      tagline: 'Skills for the "grid"',
      color: "#7a1f5c",
      version: before.version,
    },
  });
  const read = async (url: string) => (await app.inject({ url, headers: { host: "localhost" } })).body;
  const home = await read("/");
  for (const part of [
    "<title>Nordic: Training</title>",
    '<meta name="description" content="Skills for the &quot;grid&quot;">',
    '<meta property="og:title" content="Nordic: Training">',
    '<link rel="canonical" href="http://localhost:1/">',
  ])
    expect(home).toContain(part);
  expect(await read(CALENDAR_PATH)).toContain("X-WR-CALNAME:Nordic Training");
  const list = await read("/events");
  for (const part of [
    "<title>Events · Nordic: Training</title>",
    '<meta property="og:site_name" content="Nordic: Training">',
  ])
    expect(list).toContain(part);
  expect((await as(learner)(accounts.startApp, { body: { password: learner.password } })).body.address).toMatch(
    /^otpauth:\/\/totp\/Nordic%20%20Training:/,
  );
  expect((await as(learner)(accounts.startPasskey, { body: { password: learner.password } })).body).toMatchObject({
    rp: { name: "Nordic: Training" },
  });
  expect(
    (
      await as(learner)(accounts.changePassword, {
        body: { current: learner.password, password: "wrong mule charger" },
      })
    ).status,
  ).toBe(204);
  const [mail] = await db
    .selectFrom("mails")
    .where("recipient", "=", learner.user.email)
    .where("reason", "=", "auth.passwordChanged")
    .select("html")
    .execute();
  expect(mail?.html).toContain(">Nordic: Training<");
  expect(mail?.html).not.toMatch(/Lyceum|#0f5763/);
  await as(admin)(academies.update, {
    body: { academyName: "Lyceum", tagline: "", color: null, version: named.version },
  });
});

test("answers 409 to a concurrent change and keeps fields not sent", async () => {
  const [ann, bob] = [await make.admin(), await make.admin()];
  const { version } = (await as(ann)(academies.settings)).body;
  await as(ann)(academies.update, { body: { tagline: "by Ann", version } });
  expect(await as(bob)(academies.update, { body: { tagline: "by Bob", version } })).toMatchObject({
    status: 409,
    code: "core.conflict",
    body: { details: { current: { tagline: "by Ann" }, changedBy: "Ada Admin" } },
  });
  const { body } = await as(bob)(academies.update, { body: { about: "We teach.", version: version + 1 } });
  expect(body).toMatchObject({ tagline: "by Ann", about: "We teach." });
  expect(
    (await as(ann)(academies.update, { body: { academyName: " ", supportEmail: "nope", version: body.version } }))
      .status,
  ).toBe(422);
});

test("publishes a policy version, asks for consent again, keeps the old one", async () => {
  const admin = await make.admin();
  const first = (await as(null)(academies.policy)).body;
  const before = (await as(null)(academies.read)).body.consent;
  expect(first.body).toContain("Who is responsible");
  const published = await as(admin)(academies.publishPolicy, {
    body: { body: "# Ours\n\nNew words.", after: first.version },
  });
  expect(published).toMatchObject({ status: 200, body: { version: first.version + 1 } });
  const after = (await as(null)(academies.read)).body.consent;
  expect([after.version, after.textHash === before.textHash]).toEqual([before.version + 1, false]);
  expect((await as(null)(academies.policy)).body.body).toContain("New words");
  expect((await as(null)(academies.policy, { query: { version: first.version } })).body.sha256).toBe(first.sha256);
  expect(await as(admin)(academies.publishPolicy, { body: { body: "Too late", after: first.version } })).toMatchObject({
    status: 409,
    code: "core.conflict",
  });
  expect(
    (await as(admin)(academies.policies)).body.items.map(({ version, publishedBy }) => [version, publishedBy]),
  ).toEqual([
    [2, "Ada Admin"],
    [1, null],
  ]);
  expect((await as(null)(academies.policy, { query: { version: 99 } })).status).toBe(404);
});

test("publishes one version for concurrent first visitors", async () => {
  const all = await Promise.all(Array.from({ length: 12 }, () => as(null)(academies.read)));
  expect(new Set(all.map(({ body }) => body.consent.version)).size).toBe(1);
});
