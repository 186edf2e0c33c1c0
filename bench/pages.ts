import { auth } from "#shared/auth/auth.ts";
import { events } from "#shared/events/events.ts";
import { createClient } from "#test/client.ts";
import { draftInput } from "#test/events.ts";
import { ADMIN, createProcess } from "#test/process.ts";
import { LIGHTHOUSE, measurePage, medianOf } from "./_lighthouse.ts";
import { load, median, round } from "./_load.ts";

/**
 * Public pages. First the cost of server-side rendering: pages per second, as a ratio to the same page without content,
 * which a visitor with a session cookie gets. Then Lighthouse with its simulated slow phone: the scores, and the
 * largest contentful paint as a ratio to the same page rendered in the browser.
 */
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const SECONDS = Number(process.env.SECONDS ?? 4);
const LANES = 10;

const server = await createProcess();
await server.start();
const client = createClient(server.url);
client.useToken((await client.call(auth.signIn, { body: ADMIN })).token);
for (let n = 0; n < 12; n++) {
  const event = await client.call(events.create, {
    body: draftInput({
      title: `Talk ${n}`,
      slug: `talk-${n}`,
      summary: "An hour with people who do it every day.",
      description: "Words about it. ".repeat(60),
    }),
  });
  await client.call(events.publish, { params: { id: event.id }, body: { version: event.version } });
}
const paths = ["/", "/login", "/events", "/events/talk-3"];
const session = "lyceum.session_token=nobody";
const page = (path: string, cookie?: string) => async () =>
  void (await (await fetch(server.url + path, cookie ? { headers: { cookie } } : {})).arrayBuffer());

const costs = new Map<string, { ratio: number[]; rate: number[]; p99: number[] }>(
  paths.map((path) => [path, { ratio: [], rate: [], p99: [] }]),
);
for (let n = 0; n < ROUNDS; n++) {
  for (const [path, { ratio, rate, p99 }] of costs) {
    const withoutContent = await load(LANES, SECONDS, page(path, session));
    const rendered = await load(LANES, SECONDS, page(path));
    ratio.push(rendered.rate / withoutContent.rate);
    rate.push(rendered.rate);
    p99.push(rendered.p99);
  }
}
for (const [path, { ratio, rate, p99 }] of costs) {
  console.log(
    `rendered ${path.padEnd(16)} ratio to the page without content ${round(median(ratio))}, ${Math.round(median(rate))} per second, p99 ${Math.round(median(p99))} ms`,
  );
}

for (const path of paths) {
  const inBrowser = measurePage(server.url + path, session);
  const onServer = inBrowser
    ? Array.from({ length: ROUNDS }, () => measurePage(server.url + path)).filter((figures) => figures !== null)
    : [];
  if (!inBrowser || onServer.length === 0) {
    console.log(
      `lighthouse ${path.padEnd(16)} not run: ${LIGHTHOUSE} or Chromium did not answer (LIGHTHOUSE and CHROMIUM say where they are)`,
    );
    continue;
  }
  const of = (pick: Parameters<typeof medianOf>[1]) => medianOf(onServer, pick);
  const scores = [0, 1, 2, 3].map((index) => Math.round(of(({ scores }) => scores[index] ?? 0) * 100));
  console.log(
    `lighthouse ${path.padEnd(16)} performance ${scores[0]}, accessibility ${scores[1]}, best practices ${scores[2]}, SEO ${scores[3]}; ` +
      `first paint ${Math.round(of(({ fcp }) => fcp))} ms, largest ${Math.round(of(({ lcp }) => lcp))} ms, blocked ${Math.round(of(({ tbt }) => tbt))} ms, shift ${round(of(({ cls }) => cls))}; ` +
      `largest paint as a ratio to rendering in the browser ${round(of(({ lcp }) => lcp) / inBrowser.lcp)}`,
  );
}
await server.remove();
