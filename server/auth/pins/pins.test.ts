import { sql } from "kysely";
import { expect, test } from "vitest";
import { audit } from "#shared/audit/audit.ts";
import { auth } from "#shared/auth/auth.ts";
import { isWeakPin, pins } from "#shared/auth/pins.ts";
import { learners } from "#shared/learners/learners.ts";
import { team } from "#shared/team/team.ts";
import { addNumbered, allowPins, OWN_PIN, signInNumbered } from "#test/numbered.ts";
import { start } from "#test/start.ts";

const server = await start();
const { as, make, db } = server;
const admin = await make.admin();
const company = await allowPins(server, admin, await make.company(admin, { name: "Harbour" }));
let last = 1000;
const someone = () => addNumbered(server, admin, company, `N-${++last}`);
const signIn = (body: Parameters<typeof post>[0], cookie = "") => post(body, cookie);
const post = (body: object, cookie = "") => as(null, cookie ? { cookie } : {})(pins.signIn, { body: body as never });
/** The cookies of an answer, as a browser sends them. */
const cookiesOf = (headers: Record<string, unknown>) =>
  [headers["set-cookie"]]
    .flat()
    .flatMap((line) => String(line).split(";")[0] ?? [])
    .join("; ");
const deviceOf = (headers: Record<string, unknown>) =>
  cookiesOf(headers)
    .split("; ")
    .filter((one) => one.includes("known"))
    .join("; ");

test("the first PIN opens nothing until the person has chosen another", async () => {
  const { company, number, pin, id } = await someone();
  expect(await signIn({ company, number, pin })).toMatchObject({ status: 403, code: "auth.pinMustChange" });
  expect(await signIn({ company, number, pin, newPin: pin })).toMatchObject({ status: 422, code: "auth.pinWeak" });
  expect(await signIn({ company, number, pin, newPin: "123456" })).toMatchObject({ code: "auth.pinWeak" });
  expect((await as(admin)(learners.get, { params: { id } })).body.status).toBe("invited");
  const first = await signIn({ company, number: number.toLowerCase(), pin, newPin: OWN_PIN });
  expect(first.body.user).toMatchObject({ id, email: null, personnelNumber: number, status: "active" });
  expect(await signIn({ company, number, pin })).toMatchObject({ status: 401, code: "auth.pinWrong" });
  expect((await signIn({ company: company.toUpperCase(), number, pin: OWN_PIN })).status).toBe(200);
});

test("an unknown company, an unknown number and a wrong PIN get one answer", async () => {
  const known = await someone();
  const unknown = [
    { company: "nowhere", number: known.number },
    { company: known.company, number: "unknown" },
    { company: known.company, number: known.number },
  ];
  const answers = await Promise.all(unknown.map((typed) => signIn({ ...typed, pin: "860427" })));
  expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
  for (const typed of unknown) {
    for (let n = 0; n < 4; n++) expect((await signIn({ ...typed, pin: "860427" })).code).toBe("auth.pinWrong");
    expect(await signIn({ ...typed, pin: known.pin })).toMatchObject({ status: 429, code: "auth.pinLocked" });
  }
});

test("parallel guesses are not more than five", async () => {
  const { company, number } = await someone();
  const guesses = Array.from({ length: 12 }, (_, n) => signIn({ company, number, pin: `4081${10 + n}` }));
  const codes = (await Promise.all(guesses)).map(({ code }) => code);
  expect(codes.filter((code) => code === "auth.pinWrong")).toHaveLength(5);
  expect(codes.filter((code) => code === "auth.pinLocked")).toHaveLength(7);
});

test("a stranger who guesses locks out neither card, own device nor shared tablet", async () => {
  const person = await someone();
  const { company, number, pin, card } = person;
  const own = await signIn({ company, number, pin, newPin: OWN_PIN });
  const colleague = await someone();
  const tablet = await signIn({ ...colleague, newPin: OWN_PIN, id: undefined, card: undefined, shared: true });
  for (let n = 0; n < 6; n++) await signIn({ company, number, pin: "860427" });
  expect((await signIn({ company, number, pin: OWN_PIN })).code).toBe("auth.pinLocked");
  expect((await signIn({ company, number, pin: OWN_PIN, card })).status).toBe(200);
  expect((await signIn({ company, number, pin: OWN_PIN }, deviceOf(own.headers))).status).toBe(200);
  expect((await signIn({ company, number, pin: OWN_PIN }, deviceOf(tablet.headers))).status).toBe(200);
});

test("twenty wrong PINs a day are the end, until there is a new one", async () => {
  const { company, number, id } = await someone();
  const later = () =>
    sql`update throttles set until = now() - interval '1 second' where until < now() + interval '1 hour'`;
  for (let round = 0; round < 4; round++) {
    for (let n = 0; n < 5; n++) expect((await signIn({ company, number, pin: "860427" })).code).toBe("auth.pinWrong");
    await later().execute(db);
  }
  expect((await signIn({ company, number, pin: "860427" })).code).toBe("auth.pinLockedToday");
  const { body } = await as(admin)(learners.issuePin, { params: { id }, body: {} });
  expect(body.card).toBeNull();
  expect((await signIn({ company, number, pin: body.pin, newPin: OWN_PIN })).status).toBe(200);
});

test("a new PIN ends sessions and the old one, is audited and never stored in plain", async () => {
  const person = await someone();
  const session = await signInNumbered(server, person);
  expect((await as(session)(auth.me)).status).toBe(200);
  const issued = await as(admin)(learners.issuePin, { params: { id: person.id }, body: { newCard: true } });
  expect((await as(session)(auth.me)).status).toBe(401);
  const { company, number } = person;
  expect((await signIn({ company, number, pin: OWN_PIN })).code).toBe("auth.pinWrong");
  expect((await as(null)(pins.readCard, { body: { card: person.card } })).code).toBe("auth.cardInvalid");
  const card = issued.body.card as string;
  expect((await as(null)(pins.readCard, { body: { card } })).body).toEqual({
    company: "Harbour",
    companyCode: company,
    number,
    asksPin: true,
  });
  const log = await as(admin)(audit.list, { query: { action: "learners.pin", personId: person.id } });
  expect(log.body.items.length).toBeGreaterThan(1);
  const { rows } = await sql<{ all: string }>`
    select jsonb_agg(to_jsonb(auth_pins))::text || (select jsonb_agg(to_jsonb(audit_entries))::text from audit_entries)
      as all
    from auth_pins`.execute(db);
  for (const secret of [issued.body.pin, card, person.card]) expect(rows[0]?.all).not.toContain(secret);
});

test("a card alone opens an account only where the company allows it", async () => {
  const { company, number, card } = await someone();
  expect((await signIn({ company, number, card })).code).toBe("auth.pinWrong");
  const open = await allowPins(server, admin, await make.company(admin), "card");
  const worker = await addNumbered(server, admin, open, "7");
  const other = await addNumbered(server, admin, open, "8");
  expect((await signIn({ company: worker.company, number: "8", card: worker.card })).code).toBe("auth.pinWrong");
  const { status, body } = await signIn({ company: worker.company, number: "7", card: worker.card });
  expect([status, body.user?.status]).toEqual([200, "active"]);
  expect((await as(null)(pins.readCard, { body: { card: other.card } })).body.asksPin).toBe(false);
});

test("a company that does not allow it has no such login and no such people", async () => {
  const { company: code, number, pin } = await someone();
  const closed = await make.company(admin);
  const body = { companyId: closed.id, name: "Nora", personnelNumber: "1" };
  expect((await as(admin)(learners.create, { body })).code).toBe("learners.noPinLogin");
  await db.updateTable("companies").set({ pinLogin: "off" }).where("slug", "=", code).execute();
  expect((await signIn({ company: code, number, pin, newPin: OWN_PIN })).code).toBe("auth.pinWrong");
  await db.updateTable("companies").set({ pinLogin: "pin" }).where("slug", "=", code).execute();
});

test("personnel numbers are unique in a company, whatever their case", async () => {
  const { number } = await someone();
  const body = { companyId: company.id, name: "Nora", personnelNumber: number.toLowerCase() };
  const again = await as(admin)(learners.create, { body });
  expect([again.status, JSON.stringify(again.body)]).toEqual([422, expect.stringContaining("learners.numberTaken")]);
});

test("people with an email address get no PIN", async () => {
  const learner = await make.learner(company.accessCode);
  const params = { id: learner.user.id };
  expect((await as(admin)(learners.issuePin, { params, body: {} })).code).toBe("auth.noPinLogin");
});

test("managers reset the PINs of their own people and of nobody else", async () => {
  const manager = await make.learner(company.accessCode);
  const [led, stranger] = [await someone(), await someone()];
  const ids = [led.id];
  await as(admin)(learners.setManager, { body: { ids, managerId: manager.user.id } });
  const reset = (id: string) => as(manager)(team.issuePin, { params: { id }, body: { newCard: true } });
  expect((await reset(led.id)).body).toMatchObject({ number: led.number, companyCode: company.slug });
  expect((await reset(stranger.id)).status).toBe(404);
  expect((await as(manager)(learners.issuePin, { params: { id: led.id }, body: {} })).status).toBe(403);
  await as(admin)(learners.suspend, { body: { ids } });
  expect((await reset(led.id)).status).toBe(404);
});

test("a session of a shared device says so, and ends with the browser", async () => {
  const { company, number, pin } = await someone();
  const shared = await signIn({ company, number, pin, newPin: OWN_PIN, shared: true });
  expect(shared.body.user.onSharedDevice).toBe(true);
  const session = [shared.headers["set-cookie"]].flat().find((line) => String(line).includes("session_token"));
  expect(String(session)).not.toMatch(/max-age|expires/i);
  const cookie = cookiesOf(shared.headers);
  expect((await as(null, { cookie })(auth.token)).body.user.onSharedDevice).toBe(true);
  for (let n = 0; n < 5; n++) await signIn({ company, number, pin: "860427" }, deviceOf(shared.headers));
  expect((await signIn({ company, number, pin: OWN_PIN }, deviceOf(shared.headers))).code).toBe("auth.pinLocked");
  await db
    .updateTable("authSessions")
    .set({ seenAt: sql<string>`now() - interval '21 minutes'` })
    .execute();
  expect((await as(null, { cookie })(auth.token)).status).toBe(401);
});

test("PINs that are tried first are refused", () => {
  for (const pin of ["111111", "123456", "987654", "121212", "123123"]) expect(isWeakPin(pin, "7"), pin).toBe(true);
  expect(isWeakPin("991001", "N-1001")).toBe(true);
  for (const pin of ["739164", "860427", "90210455"]) expect(isWeakPin(pin, "N-1001"), pin).toBe(false);
});
