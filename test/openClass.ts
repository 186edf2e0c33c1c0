import { setTimeout as sleep } from "node:timers/promises";
import { auth } from "#shared/auth/auth.ts";
import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { player } from "#shared/player/player.ts";
import { createClient, createWriter } from "#test/client.ts";
import { packageOf } from "#test/samplePackage.ts";
import { ADMIN } from "#test/process.ts";
import { PASSWORD } from "#test/password.ts";

const ENROLLED_AT_ONCE = 10;

type Admin = ReturnType<typeof createClient>;
const uploadCourse = async (admin: Admin) => (await admin.upload("course.zip", packageOf())).body.id;

/** Learners of one company, each with an open session of the course that `addCourse` makes. */
export async function openClass(
  url: string,
  count: number,
  addCourse: (admin: Admin) => Promise<string> = uploadCourse,
  name = "learner",
) {
  const admin = createClient(url);
  admin.useToken((await admin.call(auth.signIn, { body: ADMIN })).token);
  const company = await admin.call(companies.create, { body: { name: "Norrvik Energi" } });
  const course = await admin.call(courses.get, { params: { id: await addCourse(admin) } });
  const published = await admin.call(courses.setStatus, {
    params: { id: course.id },
    body: { status: "published", version: course.version },
  });
  await admin.call(courses.assign, { params: { id: published.id }, body: { companyIds: [company.id] } });
  const enrol = async (i: number) => {
    const me = createClient(url);
    const email = `${name}-${i}@example.com`;
    await me.call(auth.register, {
      body: { name: `Learner ${i}`, email, password: PASSWORD, accessCode: company.accessCode },
    });
    const { token } = await me.call(auth.signIn, { body: { email, password: PASSWORD } });
    me.useToken(token);
    const params = { companyId: company.id, courseId: published.id };
    const session = await me.call(player.launch, { params, body: { clientId: `window-${i}` } });
    return { email, session, token, params, writer: createWriter(url, session) };
  };
  const people = [];
  for (let i = 0; i < count; i += ENROLLED_AT_ONCE)
    people.push(
      ...(await Promise.all(Array.from({ length: Math.min(ENROLLED_AT_ONCE, count - i) }, (_, n) => enrol(i + n)))),
    );
  return people;
}

/**
 * Lets everybody of a class commit, each `pauseMs` after the last answer, until `stop` is called, which tells how it
 * went.
 */
export function commitMeanwhile(people: Awaited<ReturnType<typeof openClass>>, pauseMs: number) {
  let isRunning = true;
  const result = { stored: 0, refused: 0, longestMs: 0 };
  const running = people.map(async ({ writer }) => {
    if (writer.last() === 0)
      writer.add([
        { type: "nav", sco: "i1" },
        { type: "scorm.init", sco: "i1" },
      ]);
    while (isRunning) {
      writer.add([{ type: "scorm.set", sco: "i1", key: "cmi.core.lesson_location", value: `${writer.last()}` }]);
      const sentAt = performance.now();
      if (await writer.flush()) result.stored++;
      else result.refused++;
      result.longestMs = Math.max(result.longestMs, performance.now() - sentAt);
      await sleep(pauseMs);
    }
  });
  return {
    stored: () => result.stored,
    async stop() {
      isRunning = false;
      await Promise.all(running);
      return result;
    },
  };
}
