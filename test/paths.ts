import { randomUUID } from "node:crypto";
import { followPaths } from "#server/paths/follow.ts";
import { courses } from "#shared/courses/courses.ts";
import { paths } from "#shared/paths/paths.ts";
import type { PathStep } from "#shared/paths/steps.ts";
import { committer, openPart, setValue } from "#test/commits.ts";
import { bodyOf } from "#test/probes.ts";
import type { Person, start } from "#test/start.ts";

/** A step for tests; a single course unless there are several. */
export const stepOf = (courseIds: string | string[], more: Partial<PathStep> = {}) => ({
  id: randomUUID(),
  courseIds: [courseIds].flat(),
  ...more,
});
type Steps = ReturnType<typeof stepOf>[];

/** Adds, publishes and assigns paths, and has people complete courses. */
export function createPathTester({ as, make, services }: Awaited<ReturnType<typeof start>>, admin: Person) {
  const call = as(admin);
  const commit = committer(as);
  const work = () => followPaths.run(services, {});
  const get = async (id: string) => bodyOf(await call(paths.get, { params: { id } }));
  const publish = async (id: string, steps?: Steps, people: "keep" | "move" = "keep") => {
    const { version } = await get(id);
    const saved = steps ? bodyOf(await call(paths.update, { params: { id }, body: { steps, version } })) : { version };
    const live = bodyOf(await call(paths.publish, { params: { id }, body: { people, version: saved.version } }));
    await work();
    return live;
  };
  const assign = async (id: string, people: Person[], notify = false) => {
    const body = { userIds: people.map(({ user }) => user.id), notify };
    const result = bodyOf(await call(paths.assign, { params: { id }, body }));
    await work();
    return result;
  };
  /** A published path with these people on it. */
  const walk = async (steps: Steps, people: Person[], title = `Path ${randomUUID().slice(0, 8)}`) => {
    const { id } = bodyOf(await call(paths.create, { body: { title, steps } }));
    await publish(id);
    await assign(id, people);
    return id;
  };
  const complete = async (person: Person, companyId: string, courseId: string) => {
    const session = await make.launch(person, companyId, courseId, { takeOver: true });
    const done = setValue(3, "cmi.core.lesson_status", "completed");
    bodyOf(await commit(session, { events: [...openPart(), done] }));
    await work();
  };
  const mine = async (person: Person, id: string) => bodyOf(await as(person)(paths.mineOne, { params: { id } }));
  /** The states of the steps, as the learner sees them. */
  const statesOf = async (person: Person, id: string) => (await mine(person, id)).steps.map(({ state }) => state);
  const enrolmentOf = async (person: Person, courseId: string, status?: "withdrawn") =>
    bodyOf(await call(courses.enrolments, { query: { courseId, userId: person.user.id, ...(status && { status }) } }))
      .items[0];
  const openReasons = async (person: Person, courseId: string) =>
    bodyOf(await call(courses.reasons, { params: { id: courseId }, query: { userId: person.user.id } }))
      .items.filter(({ until }) => until === null)
      .map(({ kind, rule }) => [kind, rule]);
  /** A company with two learners and published courses that nobody has. */
  const room = async (count = 3) => {
    const company = await make.company(admin);
    const [ada, bo] = [await make.learner(company.accessCode, "Ada"), await make.learner(company.accessCode, "Bo")];
    const lessons = [];
    for (let at = 0; at < count; at++) lessons.push((await make.course(admin)).id);
    return { company, ada, bo, lessons };
  };
  return { call, work, get, publish, assign, walk, complete, mine, statesOf, enrolmentOf, openReasons, room };
}
