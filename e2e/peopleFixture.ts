import { courses } from "#shared/courses/courses.ts";
import { enrolmentRules } from "#shared/enrolmentRules/enrolmentRules.ts";
import { fields } from "#shared/fields/fields.ts";
import { groups } from "#shared/groups/groups.ts";
import { learners } from "#shared/learners/learners.ts";
import { paths } from "#shared/paths/paths.ts";
import { randomLetters } from "./eventsFixture.ts";
import { probePackage } from "./packages.ts";
import { addCourse, addLearner, type ServerFixture } from "./server.ts";

/** A rule that is on, with long words; returns its page. */
export async function addRule(app: ServerFixture, courseId: string) {
  const long = `Arbeidsmiljøopplæring${randomLetters()}`;
  const body = { companyId: app.company.id, name: `${long} ${long}`, explanation: long, courseIds: [courseId] };
  const { id, version } = await app.admin.call(enrolmentRules.create, { body });
  await app.admin.call(enrolmentRules.setState, { params: { id }, body: { state: "active", version } });
  return `/enrolment-rules/${id}`;
}

/** A path with long words that everyone of the company is on; returns its pages. */
export async function addPath(app: ServerFixture, courseId: string) {
  const long = `Arbeidsmiljøopplæring${randomLetters()}`;
  const other = await addCourse(app, probePackage("1.2"));
  const first = crypto.randomUUID();
  const steps = [
    { id: first, courseIds: [courseId], dueDays: 3 },
    { id: crypto.randomUUID(), title: `${long} ${long}`, courseIds: [other.id], after: [first] },
  ];
  const body = { title: `${long} ${long}`, description: long, steps };
  const { id, version } = await app.admin.call(paths.create, { body });
  await app.admin.call(paths.publish, { params: { id }, body: { people: "keep", version } });
  await app.admin.call(paths.assign, { params: { id }, body: { companyIds: [app.company.id] } });
  return { admin: `/courses/paths/${id}`, own: `/paths/${id}` };
}

/** Fields, and groups by rule and by hand, of a company with a long word in each name; returns the page of a group. */
export async function addGroups(app: ServerFixture) {
  const long = `Arbeidsmiljøopplæring${randomLetters()}`;
  const companyId = app.company.id;
  const choices = [{ name: `${long} nord` }, { name: "South" }];
  const key = `f_${randomLetters().toLowerCase()}`;
  const field = await app.admin.call(fields.create, {
    body: { companyId, key, name: `${long} region`, kind: "choice", choices },
  });
  const isActive = { kind: "status" as const, is: "is" as const, status: "active" as const };
  const isNorth = {
    kind: "field" as const,
    field: field.id,
    is: "notEqual" as const,
    value: field.choices[0]?.id ?? "",
  };
  const group = await app.admin.call(groups.create, {
    body: { companyId, name: `${long} everyone`, rule: { match: "all", tests: [isActive, isNorth] } },
  });
  const isIn = { kind: "group" as const, group: group.id, is: "member" as const };
  await app.admin.call(groups.create, {
    body: { companyId, name: `${long} nested`, rule: { match: "all", tests: [isIn] } },
  });
  const { email } = await addLearner(app);
  const { items } = await app.admin.call(learners.list, { query: { q: email } });
  await app.admin.call(groups.place, {
    params: { id: group.id },
    body: { ids: items.map(({ id }) => id), place: "in", note: long, until: "2099-12-31" },
  });
  return `/companies/${companyId}/groups/${group.id}`;
}

/** A manager, and one of the people they lead, with a course that is overdue. */
export async function addTeam(app: ServerFixture) {
  const course = await addCourse(app, probePackage("1.2"));
  const people = [];
  for (const name of ["Mona Manager", `Arbeidsmiljoopplaring${randomLetters()}`]) {
    const person = await addLearner(app, name);
    const { items } = await app.admin.call(learners.list, { query: { q: person.email } });
    people.push({ ...person, id: items[0]?.id ?? "" });
  }
  const [manager, led] = people as [(typeof people)[number], (typeof people)[number]];
  await app.admin.call(learners.setManager, { body: { ids: [led.id], managerId: manager.id } });
  const userIds = [led.id];
  await app.admin.call(courses.assign, { params: { id: course.id }, body: { userIds, dueDate: "2026-01-05" } });
  return { manager, led };
}
