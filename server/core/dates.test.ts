import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { audit } from "#shared/audit/audit.ts";
import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { events } from "#shared/events/events.ts";
import { createEventMaker, draftInput } from "#test/events.ts";
import { start } from "#test/start.ts";

const server = await start();
const { as, make } = server;
const eventMaker = createEventMaker(server);

test.each(["9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00", "2101-01-01T00:00:00Z", "1969-12-31T23:59:59Z"])(
  "refuses %s as the end of an access code",
  async (codeExpiresAt) => {
    const { admin, company } = await make.classroom();
    expect(
      await as(admin)(companies.update, {
        params: { id: company.id },
        body: { codeExpiresAt, version: company.version },
      }),
    ).toMatchObject({ status: 422, body: { issues: [{ path: "codeExpiresAt", code: "core.dateRange" }] } });
  },
);

test("refuses days and times of events before 1970 and after 2100", async () => {
  const { admin, course, learner } = await make.classroom();
  const userIds = [learner.user.id];
  const event = await eventMaker.createPublished(admin);
  for (const day of ["0001-01-01", "1969-12-31", "2101-01-01", "9999-12-31"]) {
    const replies = [
      await as(admin)(courses.assign, { params: { id: course.id }, body: { userIds, dueDate: day } }),
      await as(admin)(courses.setDue, { params: { id: course.id }, body: { userIds, dueDate: day } }),
      await as(admin)(audit.list, { query: { from: day } }),
      await as(admin)(audit.list, { query: { to: day } }),
      await as(null)(events.list, { query: { from: day } }),
      await as(admin)(events.create, { body: draftInput({ startsLocal: `${day}T09:00`, endsLocal: `${day}T10:00` }) }),
      await as(admin)(events.update, {
        params: { id: event.id },
        body: { startsLocal: `${day}T09:00`, endsLocal: `${day}T10:00`, version: event.version },
      }),
    ];
    expect([day, replies.map(({ status }) => status)]).toEqual([day, replies.map(() => 422)]);
  }
  expect(
    (await as(admin)(courses.assign, { params: { id: course.id }, body: { userIds, dueDate: "2100-12-31" } })).status,
  ).toBe(200);
});

test("refuses to assign a course to a company that does not exist", async () => {
  const { admin, company, course } = await make.classroom();
  const assign = (companyIds: string[]) =>
    as(admin)(courses.assign, { params: { id: course.id }, body: { companyIds } });
  expect((await assign([randomUUID()])).status).toBe(404);
  expect((await assign([company.id, randomUUID()])).status).toBe(404);
  expect((await assign([company.id])).status).toBe(200);
});
