import { sql } from "kysely";
import { followRequirements } from "#server/requirements/follow.ts";
import { companies, type CompanyInput } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { requirements, type RequirementTerms } from "#shared/requirements/requirements.ts";
import { committer, openPart, setValue } from "#test/commits.ts";
import { bodyOf } from "#test/probes.ts";
import type { Person, start } from "#test/start.ts";

const DAY_MS = 86_400_000;
export const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
/** The same day so many months later; a month without it has its last day. */
export function addMonths(day: string, months: number) {
  const date = new Date(`${day}T00:00Z`);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(date.getUTCDate(), last))).toISOString().slice(0, 10);
}
export const yearly: RequirementTerms = {
  months: 12,
  countsFrom: "completion",
  fixedDay: null,
  skipDays: 0,
  windowDays: 60,
  graceDays: 0,
};

/** Requires courses, moves completions into the past, and follows what comes of it. */
export function createRequirementTester({ as, make, services, db }: Awaited<ReturnType<typeof start>>, admin: Person) {
  const call = as(admin);
  const commit = committer(as);
  const work = () => followRequirements.run(services, {});
  /** A company in UTC with a published course that everyone there has. */
  const room = async (people: string[] = ["Ada"]) => {
    const company = await make.company(admin, { timezone: "UTC" });
    const course = await make.course(admin);
    bodyOf(await call(courses.assign, { params: { id: course.id }, body: { companyIds: [company.id] } }));
    const learners: Person[] = [];
    for (const name of people) learners.push(await make.learner(company.accessCode, name));
    return { company, course, learners };
  };
  const demand = async (companyId: string, courseId: string, terms: Partial<RequirementTerms> = {}) => {
    const made = bodyOf(
      await call(requirements.create, {
        params: { id: companyId },
        body: { courseId, terms: { ...yearly, ...terms } },
      }),
    );
    await work();
    return made;
  };
  const change = async (companyId: string, id: string, terms: Partial<RequirementTerms>) => {
    const { items } = bodyOf(await call(requirements.list, { params: { id: companyId } }));
    const version = items.find((one) => one.id === id)?.version ?? 0;
    const params = { id };
    bodyOf(await call(requirements.update, { params, body: { terms: { ...yearly, ...terms }, version } }));
    await work();
  };
  const launch = (person: Person, companyId: string, courseId: string) =>
    make.launch(person, companyId, courseId, { takeOver: true });
  const complete = async (person: Person, companyId: string, courseId: string) => {
    const session = await launch(person, companyId, courseId);
    const done = [setValue(3, "cmi.core.score.raw", "90"), setValue(4, "cmi.core.lesson_status", "completed")];
    bodyOf(await commit(session, { events: [...openPart(), ...done], activeMs: 60_000 }));
    return session;
  };
  /** Moves the latest completion of a person to another day, as if it had happened then. */
  const moveTo = async (person: Person, courseId: string, day: string) => {
    const at = `${day}T12:00:00Z`;
    await sql`alter table completion_history disable trigger user`.execute(db);
    await sql`
      update completion_history
      set happened_at = ${at}
      where id = (
        select max(id)
        from completion_history
        where person_id = ${person.user.id}
          and course_id = ${courseId}
      )`.execute(db);
    await sql`alter table completion_history enable trigger user`.execute(db);
    await sql`
      update enrolments
      set completed_at = ${at}
      where user_id = ${person.user.id}
        and course_id = ${courseId}
        and completed_at is not null`.execute(db);
    await sql`
      select refresh_requirement(id)
      from enrolments
      where user_id = ${person.user.id}
        and course_id = ${courseId}`.execute(db);
  };
  const peopleOf = async (companyId: string, query = {}) =>
    bodyOf(await call(requirements.people, { params: { id: companyId }, query }));
  const cellOf = async (companyId: string, person: Person, courseId: string) =>
    (await peopleOf(companyId)).items
      .find(({ userId }) => userId === person.user.id)
      ?.cells.find((cell) => cell.courseId === courseId);
  const enrolmentOf = async (person: Person, courseId: string) =>
    bodyOf(await call(courses.enrolments, { query: { courseId, userId: person.user.id } })).items[0];
  const changeCompany = async (id: string, body: Partial<CompanyInput>) => {
    const { version } = bodyOf(await call(companies.get, { params: { id } }));
    bodyOf(await call(companies.update, { params: { id }, body: { ...body, version } }));
  };
  return {
    call,
    commit,
    work,
    room,
    demand,
    change,
    launch,
    complete,
    moveTo,
    peopleOf,
    cellOf,
    enrolmentOf,
    changeCompany,
  };
}
