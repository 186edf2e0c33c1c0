import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { ALL_PREFERENCES, DEFAULT_PREFERENCES, ONLY_ESSENTIAL } from "#shared/consent/consentPreferences.ts";
import { CONSENT_HEADERS, consents } from "#shared/consent/consent.ts";
import { type ConsentService, initialToggle, services as registered } from "#shared/consent/consentServices.ts";
import { academies } from "#shared/settings/settings.ts";
import { start } from "#test/start.ts";

const { app, as, make, db } = await start();
const send = async (payload: object, token?: string) =>
  app.inject({
    method: "POST",
    url: "/api/recordConsent",
    payload,
    headers: token ? { authorization: `Bearer ${token}` } : {},
  });

test("uses the specified defaults", () => {
  expect(DEFAULT_PREFERENCES).toEqual({ essential: true, analytical: true, functional: true, targeting: false });
  expect(ALL_PREFERENCES).toEqual({ essential: true, analytical: true, functional: true, targeting: true });
  expect(ONLY_ESSENTIAL).toEqual({ essential: true, analytical: false, functional: false, targeting: false });
});

test("records a decision with its text and lists only the user's own", async () => {
  const { learner, admin } = await make.classroom();
  const { body: academy } = await as(null)(academies.read);
  const decidedAt = new Date(Date.now() - 86_400_000).toISOString();
  const headers = {
    [CONSENT_HEADERS.id]: randomUUID(),
    [CONSENT_HEADERS.text]: academy.consent.textHash,
    [CONSENT_HEADERS.decidedAt]: decidedAt,
    [CONSENT_HEADERS.via]: "sync",
    [CONSENT_HEADERS.gpc]: "1",
  };
  const body = { status: "reject_all" as const, preferences: ONLY_ESSENTIAL };
  const first = await as(learner, headers)(consents.record, { body });
  expect(first).toMatchObject({
    status: 200,
    body: { ...body, policyVersion: academy.consent.version, via: "sync", gpc: true, decidedAt },
  });
  expect(Date.parse(first.body.expiresAt) - Date.parse(decidedAt)).toBe(182 * 86_400_000);
  expect((await as(learner, headers)(consents.record, { body })).body.id).toBe(first.body.id);
  await as(learner)(consents.record, { body: { status: "accept_all", preferences: ALL_PREFERENCES } });
  expect((await as(learner)(consents.list)).body.items.map(({ status }) => status)).toEqual([
    "accept_all",
    "reject_all",
  ]);
  expect((await as(admin)(consents.list)).body.total).toBe(0);
});

test("ignores a browser clock that is ahead", async () => {
  const { learner } = await make.classroom();
  const { body } = await as(learner, {
    [CONSENT_HEADERS.decidedAt]: "2999-01-01T00:00:00Z",
    [CONSENT_HEADERS.id]: "nonsense",
  })(consents.record, { body: { status: "accept_all", preferences: ALL_PREFERENCES } });
  expect(Date.parse(body.decidedAt)).toBeLessThanOrEqual(Date.now());
});

test("refuses inconsistent decisions and people who are not signed in", async () => {
  const { learner } = await make.classroom();
  const bad = [
    { status: "accept_all", preferences: { ...ALL_PREFERENCES, targeting: false } },
    { status: "reject_all", preferences: { ...ONLY_ESSENTIAL, functional: true } },
    { status: "customized", preferences: { ...ALL_PREFERENCES, essential: false } },
    { status: "customized", preferences: { ...ALL_PREFERENCES, marketing: true } },
    { status: "customized", preferences: { essential: true } },
    { status: "customized", preferences: ALL_PREFERENCES, userId: randomUUID() },
    { status: "maybe", preferences: ALL_PREFERENCES },
  ];
  for (const payload of bad) expect([payload, (await send(payload, learner.token)).statusCode]).toEqual([payload, 422]);
  expect((await send({ status: "accept_all", preferences: ALL_PREFERENCES })).statusCode).toBe(401);
});

test("refuses changes of recorded decisions in the database", async () => {
  const { learner } = await make.classroom();
  await as(learner)(consents.record, { body: { status: "accept_all", preferences: ALL_PREFERENCES } });
  await expect(db.updateTable("consentRecords").set({ status: "reject_all" }).execute()).rejects.toThrow("append-only");
  await expect(sql`delete from consent_records`.execute(db)).rejects.toThrow("append-only");
  await expect(sql`update consent_texts set body = ''`.execute(db)).rejects.toThrow("append-only");
});

test("describes every registered service completely", () => {
  expect(new Set(registered.map(({ id }) => id)).size).toBe(registered.length);
  for (const service of registered) {
    for (const fact of ["name", "purpose", "lifetime", "recipient"] as const)
      expect([service.id, fact, service[fact].length > 2]).toEqual([service.id, fact, true]);
    expect([service.id, typeof service.needsPriorConsent, service.keys.length > 0]).toEqual([
      service.id,
      "boolean",
      true,
    ]);
    if (service.category === "essential") expect(service.needsPriorConsent).toBe(false);
  }
  // A new installation has only services that need no consent.
  expect(
    registered.filter((service) => service.needsPriorConsent || ["analytical", "targeting"].includes(service.category)),
  ).toEqual([]);
});

test("turns a toggle on initially only if no service needs prior consent", () => {
  const counter: ConsentService = {
    id: "x",
    category: "analytical",
    name: "X",
    purpose: "counts",
    lifetime: "1 day",
    recipient: "X",
    needsPriorConsent: true,
    keys: ["x"],
  };
  expect((["essential", "analytical", "functional", "targeting"] as const).map((one) => initialToggle(one))).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect(initialToggle("analytical", { list: [counter] })).toBe(false);
  expect(initialToggle("functional", { list: [counter] })).toBe(true);
  expect(initialToggle("functional", { strict: true })).toBe(false);
  expect(initialToggle("essential", { strict: true })).toBe(true);
});
