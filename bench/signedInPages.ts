import { auth } from "#shared/auth/auth.ts";
import { courses } from "#shared/courses/courses.ts";
import { createClient } from "#test/client.ts";
import { createProcess } from "#test/process.ts";
import { LIGHTHOUSE, measurePage, medianOf } from "./_lighthouse.ts";
import { round } from "./_load.ts";
import { PASSWORD } from "#test/password.ts";

/**
 * Pages after login with the demo content, on the simulated slow phone of Lighthouse, without a cache and without what
 * the browser remembers of the user: requests, bytes, and when the page is painted and ready.
 */
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const server = await createProcess({ DEMO: "true", DEMO_PASSWORD: PASSWORD });
await server.start();

async function signIn(email: string) {
  const client = createClient(server.url);
  client.useToken((await client.call(auth.signIn, { body: { email, password: PASSWORD } })).token);
  const answer = await fetch(`${server.url}/api/auth/sign-in`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  const cookie = answer.headers.getSetCookie().map((line) => line.split(";")[0]);
  return { client, cookie: cookie.join("; ") };
}
const admin = await signIn("admin@example.com");
const learner = await signIn("learner@example.com");
const [course] = (await learner.client.call(courses.mine, {})).items;
const pages = [
  ["/my-courses", learner.cookie],
  [`/courses/${course?.courseId}`, learner.cookie],
  ["/dashboard", admin.cookie],
  ["/learners", admin.cookie],
] as const;

for (const [path, cookie] of pages) {
  const figures = Array.from({ length: ROUNDS }, () => measurePage(server.url + path, cookie)).filter(
    (found) => found !== null,
  );
  if (figures.length === 0) {
    console.log(`${path} not run: ${LIGHTHOUSE} or Chromium did not answer`);
    continue;
  }
  const of = (pick: Parameters<typeof medianOf>[1]) => medianOf(figures, pick);
  console.log(
    `${path.slice(0, 12).padEnd(12)} ${of(({ requests }) => requests)} requests, ${Math.round(of(({ bytes }) => bytes) / 1000)} KB, ` +
      `first paint ${Math.round(of(({ fcp }) => fcp))} ms, largest ${Math.round(of(({ lcp }) => lcp))} ms, ` +
      `ready ${Math.round(of(({ ready }) => ready))} ms, blocked ${Math.round(of(({ tbt }) => tbt))} ms, shift ${round(of(({ cls }) => cls))}`,
  );
}
await server.remove();
