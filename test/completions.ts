import { completions, type Completion } from "#shared/completions/completions.ts";
import { courses } from "#shared/courses/courses.ts";
import { bodyOf } from "#test/probes.ts";
import type { Person, start } from "#test/start.ts";

export const reason = "Done on paper";

type Room<Course> = { admin: Person; learner: Person; course: Course };

/** Learners whose completions admins read and decide about. */
export function createDecider({ as, make, db }: Awaited<ReturnType<typeof start>>) {
  /** The enrolment of the learner of a room, and what its admin does with it. */
  async function withDecisions<R extends Room<{ id: string }>>(room: R) {
    const { items } = bodyOf(await as(room.admin)(courses.enrolments, { query: { userId: room.learner.user.id } }));
    const id = items.find(({ courseId }) => courseId === room.course.id)?.id as string;
    const read = async () => bodyOf(await as(room.admin)(completions.get, { params: { id } }));
    const inputOf = ({ attemptNo, status }: Completion) => ({ params: { id }, body: { reason, attemptNo, status } });
    const decide = async (name: "set" | "reopen" | "restart", seen?: Completion, by: Person = room.admin) =>
      as(by)(completions[name], inputOf(seen ?? (await read())));
    const undo = async () =>
      as(room.admin)(completions.undo, {
        params: { id: (await read()).decisions.find((one) => !one.undoneAt)?.id ?? "" },
      });
    const enrolment = () => db.selectFrom("enrolments").where("id", "=", id).selectAll().executeTakeFirstOrThrow();
    return { ...room, id, read, decide, undo, enrolment };
  }
  return { withDecisions, classroom: async () => withDecisions(await make.classroom()) };
}
