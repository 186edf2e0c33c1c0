import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { auth } from "#shared/auth/auth.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { mails } from "#shared/mails/mails.ts";
import { start } from "#test/start.ts";

const { as, make } = await start();

test("invites people with an outcome and an email for each", async () => {
  const { admin, company, learner } = await make.classroom();
  const elsewhere = await make.classroom();
  const newEmail = `new-${randomUUID()}@example.com`;
  const people = [
    { email: newEmail, name: "New One" },
    { email: learner.user.email },
    { email: elsewhere.learner.user.email },
    { email: admin.user.email },
    { email: newEmail.toUpperCase() },
  ];
  const { body } = await as(admin)(learners.invite, { body: { companyId: company.id, people } });
  expect(body.outcomes).toEqual([
    { email: newEmail, outcome: "invited", reason: null },
    { email: learner.user.email, outcome: "skipped", reason: "learners.isActive" },
    { email: elsewhere.learner.user.email, outcome: "skipped", reason: "learners.inOtherCompany" },
    { email: admin.user.email, outcome: "skipped", reason: "learners.isAdmin" },
  ]);
  const list = await as(admin)(learners.list, { query: { q: newEmail } });
  expect(list.body.items[0]).toMatchObject({
    status: "invited",
    lastActive: null,
    companyId: company.id,
    assigned: 1,
  });
  const outbox = await as(admin)(mails.list, { query: { q: newEmail } });
  expect(outbox.body.items[0]).toMatchObject({ status: "kept", reason: "learners.invitation" });
  expect(outbox.body.items[0]?.body).toContain("/register?invitation=");
});

test("says before inviting who will be skipped, and why", async () => {
  const { admin, company, learner } = await make.classroom();
  const elsewhere = await make.classroom();
  const emails = [learner, elsewhere.learner, admin].map(({ user }) => user.email);
  const body = { companyId: company.id, emails: [...emails, `new-${randomUUID()}@example.com`] };
  const reply = await as(admin)(learners.checkInvitations, { body });
  const reasons = new Map(reply.body.skipped.map(({ email, reason }) => [email, reason]));
  expect(emails.map((email) => reasons.get(email))).toEqual([
    "learners.isActive",
    "learners.inOtherCompany",
    "learners.isAdmin",
  ]);
  expect(reasons.size).toBe(3);
});

test("skips invitations beyond the learner limit", async () => {
  const admin = await make.admin();
  const company = await make.company(admin, { learnerLimit: 2 });
  const people = [1, 2, 3].map(() => ({ email: `p-${randomUUID()}@example.com` }));
  const { body } = await as(admin)(learners.invite, { body: { companyId: company.id, people } });
  expect(body.outcomes.map(({ outcome, reason }) => [outcome, reason])).toEqual([
    ["invited", null],
    ["invited", null],
    ["skipped", "learners.limitReached"],
  ]);
});

test("invalidates the old link when an invitation is resent", async () => {
  const admin = await make.admin();
  const company = await make.company(admin);
  const email = `p-${randomUUID()}@example.com`;
  await as(admin)(learners.invite, { body: { companyId: company.id, people: [{ email }] } });
  const id = (await as(admin)(learners.list, { query: { q: email } })).body.items[0]?.id as string;
  expect((await as(admin)(learners.resend, { body: { ids: [id] } })).body).toEqual({ changed: 1 });
  const emails = (await as(admin)(mails.list, { query: { q: email } })).body.items;
  const [newer, older] = emails.map(({ body }) => /invitation=([\w-]+)/.exec(body)?.[1] as string);
  expect((await as(null)(auth.invitation, { params: { token: older as string } })).status).toBe(404);
  expect((await as(null)(auth.invitation, { params: { token: newer as string } })).status).toBe(200);
});

test("keeps the history with the old company when a learner moves", async () => {
  const { admin, learner, course } = await make.classroom();
  const target = await make.company(admin);
  await make.launch(learner, learner.user.companyId as string, course.id);
  expect((await as(admin)(learners.move, { body: { ids: [learner.user.id], companyId: target.id } })).body).toEqual({
    changed: 1,
  });
  expect((await as(learner)(courses.mine)).status).toBe(401);
  const row = (await as(admin)(courses.enrolments, { query: { userId: learner.user.id } })).body.items[0];
  expect(row?.companyId).toBe(learner.user.companyId);
  const again = await make.signIn(learner.user.email);
  expect(again.user.companyId).toBe(target.id);
});

test("refuses an email in use and reports a stale version as a conflict", async () => {
  const { admin, learner, company } = await make.classroom();
  const other = await make.learner(company.accessCode, "Carl");
  const { id, version } = (await as(admin)(learners.get, { params: { id: learner.user.id } })).body;
  const taken = await as(admin)(learners.update, {
    params: { id },
    body: { name: "Lea", email: other.user.email, version },
  });
  expect(taken).toMatchObject({
    status: 422,
    body: { issues: [{ path: "email", message: "Someone else already uses this email address." }] },
  });
  const rename = (name: string) => as(admin)(learners.update, { params: { id }, body: { name, version } });
  expect((await rename("Lea New")).status).toBe(200);
  expect(await rename("Lea Old")).toMatchObject({ status: 409, code: "core.conflict" });
});

test("determines overdue courses in the time zone of the company", async () => {
  const admin = await make.admin();
  const lesson = await make.course(admin);
  const zones = ["Pacific/Kiritimati", "Pacific/Pago_Pago"];
  const today = (zone: string) => new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(new Date());
  const [early, late] = zones.map(today) as [string, string];
  expect(early > late).toBe(true);
  const overdue = [];
  for (const timezone of zones) {
    const company = await make.company(admin, { timezone });
    const learner = await make.learner(company.accessCode);
    await as(admin)(courses.assign, { params: { id: lesson.id }, body: { userIds: [learner.user.id], dueDate: late } });
    overdue.push((await as(admin)(courses.enrolments, { query: { userId: learner.user.id } })).body.items[0]?.overdue);
  }
  expect(overdue).toEqual([true, false]);
});

test("assigns the courses of the new company to a moved learner", async () => {
  const { admin, learner, company, course } = await make.classroom();
  const target = await make.company(admin, { learnerLimit: 1 });
  await as(admin)(courses.assign, { params: { id: course.id }, body: { companyIds: [target.id] } });
  await as(admin)(learners.move, { body: { ids: [learner.user.id], companyId: target.id } });
  const rows = (await as(admin)(courses.enrolments, { query: { userId: learner.user.id } })).body.items;
  expect(rows.map(({ companyId }) => companyId).toSorted()).toEqual([company.id, target.id].toSorted());
  const again = await make.signIn(learner.user.email);
  expect((await as(again)(courses.mine)).body.items.map(({ companyId }) => companyId)).toEqual([target.id]);
  expect((await make.launch(again, target.id, course.id)).attemptNo).toBe(1);
  const other = await make.learner(company.accessCode);
  expect(await as(admin)(learners.move, { body: { ids: [other.user.id], companyId: target.id } })).toMatchObject({
    status: 409,
    code: "companies.full",
  });
});

test("every page says how many people there are, also a full one and one past the end", async () => {
  const { admin, company } = await make.classroom();
  for (const name of ["Bea", "Cem", "Dua"]) await make.learner(company.accessCode, name);
  const totalOf = async (page: number, size: number) =>
    (await as(admin)(learners.list, { query: { companyId: company.id, page, size } })).body.total;
  const pages = [
    [1, 2],
    [1, 4],
    [2, 2],
    [2, 4],
    [9, 2],
  ] as const;
  expect(await Promise.all(pages.map(([page, size]) => totalOf(page, size)))).toEqual([4, 4, 4, 4, 4]);
});
