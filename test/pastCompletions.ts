import type { ImportAbout } from "#shared/imports/importReasons.ts";
import { courses } from "#shared/courses/courses.ts";
import { transcripts } from "#shared/transcripts/transcripts.ts";
import { createImporter } from "#test/importClient.ts";
import { bodyOf } from "#test/probes.ts";
import type { Person, start } from "#test/start.ts";

const HEAD = "Email;Personnel number;Course;Completed on;Score;Certificate number";
const ABOUT: ImportAbout = "completions";

/** Imports past completions of a company with a course, Ada and Bo, and reads what became of them. */
export function createHistoryImporter(server: Awaited<ReturnType<typeof start>>, admin: Person) {
  const { as, make, db } = server;
  const importer = createImporter(server, admin);
  return {
    importer,
    /** Rows in the columns of `HEAD`. */
    upload: (companyId: string, rows: string[]) =>
      importer.upload(companyId, [HEAD, ...rows].join("\n"), "history.csv", ABOUT),
    async school() {
      const company = await make.company(admin);
      const course = await make.course(admin);
      const title = `Working at heights ${course.code}`;
      await db.updateTable("courses").set({ title }).where("id", "=", course.id).execute();
      const ada = await make.learner(company.accessCode, "Ada");
      const bo = await make.learner(company.accessCode, "Bo");
      return { company, course: { ...course, title }, ada, bo };
    },
    enrolmentOf: async ({ user }: Person, courseId: string) =>
      bodyOf(await as(admin)(courses.enrolments, { query: { userId: user.id, courseId } })).items[0],
    async transcriptOf(person: Person) {
      const { id } = bodyOf(await as(person)(transcripts.issue, { body: { withScores: true, withTimes: true } }));
      return bodyOf(await as(person)(transcripts.get, { params: { id } }));
    },
  };
}
