import { sql } from "kysely";
import { expect, test } from "vitest";
import { linkAccounts } from "#server/events/jobs.ts";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";
import { createEventMaker } from "#test/events.ts";
import { start } from "#test/start.ts";
import { attachRegistrations } from "#server/events/organiser/followUps.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";

const server = await start();
const { as, make, db, services } = server;
const maker = createEventMaker(server);
const { admin, company, course } = await make.classroom();
const endEvent = (id: string, days = 0) =>
  db
    .updateTable("events")
    .set({
      startsAt: sql`now() - make_interval(days => ${days}, hours => 2)`,
      endsAt: sql`now() - make_interval(days => ${days}, mins => 1)`,
    })
    .where("id", "=", id)
    .execute();

test("invites guests as learners and enrols attendees in the follow-up course", async () => {
  const event = await maker.createPublished(admin, { followUpCourseId: course.id, followUpCompanyId: company.id });
  const [guest, absent] = [await maker.registerGuest(event), await maker.registerGuest(event)];
  await as(admin)(eventRegistrations.checkIn, { params: { id: guest.id }, body: {} });
  expect(
    (
      await as(admin)(eventRegistrations.invite, {
        params: { id: event.id },
        body: { ids: [guest.id, absent.id], companyId: company.id },
      })
    ).body,
  ).toEqual({ invited: 2, already: 0 });
  const userOf = (email: string) =>
    db
      .selectFrom("users")
      .where("email", "=", email)
      .select(["id", "email"])
      .$narrowType<{ email: string }>()
      .executeTakeFirstOrThrow();
  const enrolled = async (email: string) =>
    (await as(admin)(courses.enrolments, { query: { userId: (await userOf(email)).id, courseId: course.id } })).body
      .total;
  const before = await enrolled(absent.email);
  await db
    .deleteFrom("enrolments")
    .where("userId", "=", (await userOf(guest.email)).id)
    .execute();
  await db
    .updateTable("users")
    .set({ emailVerified: true })
    .where("email", "in", [guest.email, absent.email])
    .execute();
  await db
    .transaction()
    .execute(async (tx) => expect(await attachRegistrations(tx, await userOf(guest.email))).toBe(1));
  expect(await enrolled(guest.email)).toBe(0);
  await endEvent(event.id);
  await linkAccounts.work(services, {});
  await linkAccounts.work(services, {});
  expect([await enrolled(guest.email), await enrolled(absent.email)]).toEqual([1, before]);
  expect((await maker.rowOf(absent.email)).userId).toBe((await userOf(absent.email)).id);
  expect((await as(admin)(learners.list, { query: { q: guest.email } })).body.total).toBe(1);
});
