import { expect, test } from "vitest";
import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { start } from "#test/start.ts";

const { as, make } = await start();

test("creates a company with an access code without look-alike characters", async () => {
  const admin = await make.admin();
  const { status, body } = await as(admin)(companies.create, {
    body: { name: "Norrvik Energi", timezone: "Europe/Oslo" },
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({ name: "Norrvik Energi", slug: "norrvik-energi", status: "active", version: 1 });
  expect(body.accessCode).toMatch(/^[A-HJKMNP-Z2-9]{8}$/);
});

test("answers 409 to the second of two concurrent changes of a company", async () => {
  const [ann, bob] = [await make.admin(), await make.admin()];
  const acme = await make.company(ann, { notes: "first" });
  const first = await as(ann)(companies.update, {
    params: { id: acme.id },
    body: { notes: "by Ann", version: acme.version },
  });
  const second = await as(bob)(companies.update, {
    params: { id: acme.id },
    body: { notes: "by Bob", version: acme.version },
  });
  expect(first).toMatchObject({ status: 200, body: { notes: "by Ann", version: 2 } });
  expect(second).toMatchObject({
    status: 409,
    code: "core.conflict",
    body: { details: { current: { notes: "by Ann", version: 2 }, changedBy: "Ada Admin" } },
  });
});

test("searches by name and code, sorts and counts companies", async () => {
  const admin = await make.admin();
  const [zeta] = [
    await make.company(admin, { name: "Zeta 100% Søhne" }),
    await make.company(admin, { name: "Alpha Søhne" }),
  ];
  const byName = await as(admin)(companies.list, { query: { q: "søhne", sort: "-name" } });
  expect(byName.body.items.map(({ name }) => name)).toEqual(["Zeta 100% Søhne", "Alpha Søhne"]);
  expect((await as(admin)(companies.list, { query: { q: "100%" } })).body.total).toBe(1);
  expect((await as(admin)(companies.list, { query: { q: zeta.accessCode.toLowerCase() } })).body.items[0]?.id).toBe(
    zeta.id,
  );
});

test("reports invalid input by field", async () => {
  const admin = await make.admin();
  const { status, body } = await as(admin)(companies.create, {
    body: { name: " ", color: "red", allowedDomains: ["nope"], timezone: "Mars/Base" },
  });
  expect(status).toBe(422);
  expect((body as unknown as { issues: { path: string }[] }).issues.map(({ path }) => path)).toEqual(
    expect.arrayContaining(["name", "color", "allowedDomains.0", "timezone"]),
  );
});

test("changes only the fields sent", async () => {
  const admin = await make.admin();
  const acme = await make.company(admin, {
    color: "#c80f2e",
    learnerLimit: 12,
    timezone: "Europe/Oslo",
    allowedDomains: ["acme.example"],
    contactName: "Hanne",
  });
  const { body } = await as(admin)(companies.update, {
    params: { id: acme.id },
    body: { welcome: "Hello", version: acme.version },
  });
  expect(body).toMatchObject({
    welcome: "Hello",
    color: "#c80f2e",
    learnerLimit: 12,
    timezone: "Europe/Oslo",
    allowedDomains: ["acme.example"],
    contactName: "Hanne",
  });
});

test("withdraws a course and restores progress when it is assigned again", async () => {
  const { admin, company, course, learner } = await make.classroom();
  const params = { id: company.id, courseId: course.id };
  expect((await as(admin)(companies.courses, { params })).body.items).toMatchObject([
    { id: course.id, everybody: true, assigned: 1, completed: 0, overdue: 0 },
  ]);
  expect((await as(admin)(companies.removeCourse, { params })).body).toMatchObject({ withdrawn: 1 });
  const lateJoiner = await make.learner(company.accessCode);
  expect((await as(lateJoiner)(courses.mine)).body.total).toBe(0);
  expect((await as(learner)(courses.mine)).body.total).toBe(0);
  expect((await as(admin)(companies.removeCourse, { params })).status).toBe(404);
  await as(admin)(courses.assign, { params: { id: course.id }, body: { companyIds: [company.id] } });
  expect((await as(learner)(courses.mine)).body.total).toBe(1);
});

test("accepts a logo as a data URL with valid base64 only", async () => {
  const admin = await make.admin();
  const { id, version } = await make.company(admin);
  // The bytes of a PNG that are `+` and `/` in base64, so that both alphabets differ.
  const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xfb, 0xff, 0xfe]);
  const [base64, base64url] = [bytes.toString("base64"), bytes.toString("base64url")];
  const set = (dataUrl: string) => as(admin)(companies.setLogo, { params: { id }, body: { dataUrl, version } });
  for (const wrong of [
    base64,
    `data:image/png;base64,${base64url}`,
    `data:image/png;base64,${base64.slice(0, -2)}-_`,
    `data:image;base64,${base64}`,
    `data:image/png;base64${base64}`,
  ])
    expect([wrong, await set(wrong)]).toMatchObject([wrong, { status: 422, code: "core.invalid" }]);
  expect((await set(`data:image/png;base64,${base64.replaceAll("=", "%3D")}`)).status).toBe(200);
});
