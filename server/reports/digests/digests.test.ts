import { sql } from "kysely";
import { expect, test } from "vitest";
import { sendDigests } from "#server/reports/digests/digests.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { mails } from "#shared/mails/mails.ts";
import { type NotificationKind, notifications } from "#shared/notifications/notifications.ts";
import { limitToCompany } from "#test/companyAdmins.ts";
import { type Person, start } from "#test/start.ts";

const { as, db, make, services } = await start();

/** Sets the time zone of the academy so that it is this hour there now. */
async function setHour(hour: number) {
  const ahead = ((hour - new Date().getUTCHours() + 36) % 24) - 12;
  const zone = ahead === 0 ? "UTC" : `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`;
  await db.updateTable("settings").set({ timeZone: zone }).execute();
  return zone;
}
/** An instant: hours after the beginning of yesterday in a time zone. */
const yesterday = (zone: string, hours: number) =>
  sql<string>`(
    ((now() at time zone ${zone})::date - 1)::timestamp + make_interval(hours => ${hours})
  ) at time zone ${zone}`;
const people = async (company: { accessCode: string }, names: string[]) => {
  const all: Person[] = [];
  for (const name of names) all.push(await make.learner(company.accessCode, name));
  return all as [Person, ...Person[]];
};
const idOf = ({ user }: Person) => user.id;
const wantAll = async (admin: Person) => {
  for (const kind of ["peopleJoined", "coursesCompleted", "peopleOverdue"] as const)
    await as(admin)(notifications.choose, { body: { kind, isShown: true, isMailed: kind === "peopleJoined" } });
};
const told = async (admin: Person, kind?: NotificationKind) =>
  (await as(admin)(notifications.list)).body.items.filter((item) => !kind || item.kind === kind);
/** The names of the people in the list that a notification opens. */
async function listBehind(admin: Person, link: string) {
  const query = Object.fromEntries(new URL(link, "http://x").searchParams);
  return (await as(admin)(learners.list, { query })).body.items.map(({ name }) => name);
}
const joinAt = (person: Person, at: ReturnType<typeof yesterday>) =>
  db.updateTable("users").set({ joinedAt: at }).where("id", "=", idOf(person)).execute();

test("counts all companies for admins of the academy, one company for its admins", async () => {
  const zone = await setHour(8);
  const [one, two] = [await make.classroom(), await make.classroom()];
  const ofCompany = await make.admin();
  await limitToCompany(db, ofCompany, one.company.id);
  await wantAll(one.admin);
  await wantAll(ofCompany);
  const [early, late, before] = (await people(one.company, ["Early", "Late", "Before"])) as [Person, Person, Person];
  const [other] = await people(two.company, ["Other"]);
  await joinAt(early, yesterday(zone, 0));
  await joinAt(late, yesterday(zone, 23));
  await joinAt(before, yesterday(zone, -1));
  await joinAt(other, yesterday(zone, 12));

  await sendDigests.work(services, {});
  await sendDigests.work(services, {});
  const [all, ...more] = await told(one.admin, "peopleJoined");
  expect(more).toEqual([]);
  expect(all?.params.count).toBe(3);
  expect(await listBehind(one.admin, all?.link ?? "")).toEqual(["Early", "Late", "Other"]);
  const [own] = await told(ofCompany, "peopleJoined");
  expect(own?.params.count).toBe(2);
  expect(await listBehind(ofCompany, own?.link ?? "")).toEqual(["Early", "Late"]);
  const sent = (await as(one.admin)(mails.list, { query: { q: one.admin.user.email } })).body.items;
  expect(sent.map(({ subject }) => subject)).toEqual([`3 people joined on ${all?.params.day}`]);
  await db.updateTable("users").set({ joinedAt: null }).execute();
});

test("counts a person who completed two courses once, in the singular", async () => {
  const zone = await setHour(11);
  const { admin, company, course } = await make.classroom();
  await wantAll(admin);
  const [ann, bob] = (await people(company, ["Ann", "Bob"])) as [Person, Person];
  await as(admin)(courses.assign, { params: { id: course.id }, body: { userIds: [ann, bob].map(idOf) } });
  const complete = (person: Person, at: ReturnType<typeof yesterday>, isBackfilled = false) =>
    sql`
      insert into completion_history (
        enrolment_id, attempt_id, attempt_no, person_id, company_id, course_id, version_id, success,
        active_seconds, reported_seconds, first_started_at, happened_at, recorded_at, backfilled)
      select
        id, gen_random_uuid(), 1, user_id, company_id, course_id, gen_random_uuid(), 'passed', 1, 1,
        ${at}, ${at}, ${at}, ${isBackfilled}
      from enrolments
      where user_id = ${idOf(person)}`.execute(db);
  await complete(ann, yesterday(zone, 10));
  await complete(ann, yesterday(zone, 11));
  await complete(bob, yesterday(zone, 25));
  await complete(bob, yesterday(zone, 10), true);
  await as(admin)(notifications.choose, { body: { kind: "coursesCompleted", isShown: true, isMailed: true } });

  await sendDigests.work(services, {});
  const [digest] = await told(admin, "coursesCompleted");
  expect(digest?.params.count).toBe(1);
  expect(await listBehind(admin, digest?.link ?? "")).toEqual(["Ann"]);
  const sent = (await as(admin)(mails.list, { query: { q: admin.user.email } })).body.items;
  expect(sent[0]?.subject).toBe(`1 person completed a course on ${digest?.params.day}`);
});

test("counts who became overdue by default, in the time zone of their company", async () => {
  const zone = await setHour(9);
  const { admin, company, course } = await make.classroom();
  const names = ["Due", "Done", "Earlier", "Later"];
  const all = (await people(company, names)) as [Person, Person, Person, Person];
  await as(admin)(courses.assign, { params: { id: course.id }, body: { userIds: all.map(idOf) } });
  await db.updateTable("companies").set({ timezone: zone }).where("id", "=", company.id).execute();
  const set = (person: Person, status: string, days: number) =>
    sql`
      update enrolments
      set status = ${status}, due_date = (now() at time zone ${zone})::date - ${days}::int
      where user_id = ${idOf(person)}`.execute(db);
  await set(all[0], "in_progress", 2);
  await set(all[1], "completed", 2);
  await set(all[2], "assigned", 3);
  await set(all[3], "assigned", 1);

  await sendDigests.work(services, {});
  const [digest] = await told(admin, "peopleOverdue");
  expect(digest).toMatchObject({ params: { count: 1 } });
  expect(await listBehind(admin, digest?.link ?? "")).toEqual(["Due"]);
  expect((await as(admin)(mails.list, { query: { q: admin.user.email } })).body.total).toBe(0);
});

test("sends nothing for zero people, for kinds that are off, or at night", async () => {
  const zone = await setHour(6);
  const { admin, company } = await make.classroom();
  await db.deleteFrom("enrolments").execute();
  const [new1] = await people(company, ["New"]);
  await joinAt(new1, yesterday(zone, 5));
  await sendDigests.work(services, {});
  await setHour(12);
  await sendDigests.work(services, {});
  expect(await told(admin)).toEqual([]);
  await joinAt(new1, yesterday(await setHour(7), 5));
  await sendDigests.work(services, {});
  expect(await told(admin)).toEqual([]);
  const choices = (await as(admin)(notifications.choices)).body.items;
  expect(choices).toContainEqual({ kind: "peopleJoined", isShown: false, isMailed: false });
  expect(choices).toContainEqual({ kind: "peopleOverdue", isShown: true, isMailed: false });
});

test("people join when they can log in, not when they are invited", async () => {
  const { admin, company, learner } = await make.classroom();
  const joinedAt = async (email: string) =>
    (await db.selectFrom("users").where("email", "=", email).select("joinedAt").executeTakeFirstOrThrow()).joinedAt;
  const email = "invited@example.com";
  await as(admin)(learners.invite, { body: { companyId: company.id, people: [{ email, name: "Ines" }] } });
  expect(await joinedAt(email)).toBeNull();
  const activate = (status: "active" | "suspended") =>
    db.updateTable("users").set({ status }).where("email", "=", email).execute();
  await activate("active");
  const first = await joinedAt(email);
  expect(first).not.toBeNull();
  await activate("suspended");
  await activate("active");
  expect(await joinedAt(email)).toEqual(first);
  expect(await joinedAt(learner.user.email)).not.toBeNull();
});
