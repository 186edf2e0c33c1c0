import { setTimeout as sleep } from "node:timers/promises";
import { auth } from "#shared/auth/auth.ts";
import { completionRules, isWorking } from "#shared/completionRules/ruleChanges.ts";
import { courses } from "#shared/courses/courses.ts";
import { createClient } from "#test/client.ts";
import { copyLearner } from "#test/copiedLearners.ts";
import { openClass } from "#test/openClass.ts";
import { ADMIN, createProcess } from "#test/process.ts";
import { cpuSeconds, load, processTreeOf, round } from "./_load.ts";
import { openSessions } from "./_sessions.ts";

/**
 * Another completion rule for a course with 5,000 learners: counted over their stored events, applied and undone. CPU
 * of a learner, beside that of a commit on the same server.
 */
const LEARNERS = Number(process.env.LEARNERS ?? 5000);
const EVENTS = 300;
const COMMITTING = 8;

const server = await createProcess({ LOG_LEVEL: "error" });
await server.start();
const postmaster = server.postgresPid();
const cpuOf = () => cpuSeconds([server.pid()]) + cpuSeconds(processTreeOf(postmaster));

const [person] = await openClass(server.url, 1);
if (!person) throw new Error("no learner");
person.writer.add([
  { type: "nav", sco: "i1" },
  { type: "scorm.init", sco: "i1" },
]);
for (let n = 0; n < EVENTS; n += 3) {
  person.writer.add([
    { type: "scorm.set", sco: "i1", key: "cmi.core.lesson_location", value: `slide-${n}` },
    { type: "scorm.set", sco: "i1", key: "cmi.suspend_data", value: `${n}`.padStart(200, "x") },
    { type: "scorm.set", sco: "i1", key: "cmi.core.score.raw", value: String(n / 3.3) },
  ]);
  await person.writer.flush();
}
const admin = createClient(server.url);
admin.useToken((await admin.call(auth.signIn, { body: ADMIN })).token);
const id = (await admin.call(courses.list)).items[0]?.id as string;
await server.query(copyLearner(LEARNERS));
await server.query("analyze");

const { post, close } = await openSessions(server.url, COMMITTING);
const before = cpuOf();
const commits = await load(COMMITTING, 5, post);
const commitMs = ((cpuOf() - before) / commits.count) * 1000;
console.log(JSON.stringify({ commitCpuMs: round(commitMs), commitP95: round(commits.p95, 1) }));

const change = await admin.call(completionRules.create, {
  params: { id },
  body: { rule: { kind: "score", percent: 70 } },
});
const params = { id: change.id };
await measure("count", async () => {});
const { version } = await admin.call(courses.get, { params: { id } });
await measure("apply", () => admin.call(completionRules.apply, { params, body: { keeps: true, version } }));
await measure("undo", () => admin.call(completionRules.undo, { params }));
close();
await server.remove();

async function measure(step: string, begin: () => Promise<unknown>) {
  const startedAt = performance.now();
  const cpuBefore = cpuOf();
  await begin();
  while (isWorking((await admin.call(completionRules.get, { params })).state)) await sleep(250);
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuMs = ((cpuOf() - cpuBefore) / LEARNERS) * 1000;
  console.log(
    JSON.stringify({
      step,
      learners: LEARNERS,
      seconds: round(seconds, 1),
      cpuMsPerLearner: round(cpuMs),
      toCommit: round(cpuMs / commitMs, 1),
    }),
  );
}
