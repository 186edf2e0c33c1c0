import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { loadavg } from "node:os";
import { gzipSync } from "node:zlib";
import { createClient } from "#test/client.ts";
import { auth } from "#shared/auth/auth.ts";
import { events } from "#shared/events/events.ts";
import { ADMIN, createProcess } from "#test/process.ts";
import { load, round } from "./_load.ts";
import { openSessions } from "./_sessions.ts";

/**
 * What strangers can do to learners: the 95th percentile of a commit while 20 connections of guests send what hurt
 * earlier versions, as a ratio to the same run without strangers. Also counts the answers above 499 and the memory of
 * the server.
 */
const LEARNERS = 10;
const STRANGERS = 20;
const SECONDS = Number(process.env.SECONDS ?? 30);

const server = await createProcess({ LOG_LEVEL: "fatal" });
await server.start();
const { post, close } = await openSessions(server.url, LEARNERS);
const admin = createClient(server.url);
admin.useToken((await admin.call(auth.signIn, { body: ADMIN })).token);
const inTwoWeeks = (hours: number) =>
  new Date(Date.now() + 14 * 86_400_000 + hours * 3_600_000).toISOString().slice(0, 16);
const draft = {
  title: "Open evening",
  timezone: "UTC",
  startsLocal: inTwoWeeks(0),
  endsLocal: inTwoWeeks(2),
  venue: { name: "Hall", city: "Bergen" },
  privacyNotice: "We keep your data for a while.",
  organiserName: "Academy",
};
const event = await admin.call(events.create, { body: draft });
await admin.call(events.publish, { params: { id: event.id }, body: { version: event.version } });

type Sent = {
  path: string;
  method?: string;
  body?: Buffer | string;
  type?: string;
  content?: boolean;
  trickled?: boolean;
};
const json = "application/json";
const answers = Object.fromEntries(Array.from({ length: 15_000 }, (_, n) => [`x${n}`, "y"]));
const bomb = gzipSync(`{"events":[${"{},".repeat(1_000_000)}{}]}`);
let turn = 0;
const [script = ""] = /\/assets\/[^"]+\.js/.exec(await (await fetch(server.url)).text()) ?? [];
const attacks: Record<string, () => Sent> = {
  "gzip bomb to the content origin": () => ({
    path: `/commit/${randomUUID()}?token=x`,
    body: bomb,
    type: "text/plain",
    content: true,
  }),
  "15,000 unknown answers": () => ({
    path: `/api/events/${event.slug}/registrations`,
    body: JSON.stringify({ name: "x", email: "x@example.com", answers }),
    type: json,
  }),
  "searches on /events": () => ({ path: `/events?q=${turn++}`, method: "GET" }),
  "wrong logins": () => ({
    path: "/api/auth/sign-in",
    body: JSON.stringify({ email: `nobody-${turn++}@example.com`, password: "wrong wrong wrong" }),
    type: json,
  }),
  "refused uploads": () => ({
    path: "/v0/b/lyceum/o?name=x.bin",
    body: Buffer.alloc(200_000),
    type: "application/octet-stream",
  }),
  "the API document": () => ({ path: "/api/openapi.json", method: "GET" }),
  "where the API document was": () => ({ path: "/api/docs/json", method: "GET" }),
  "the script of its page": () => ({ path: "/api/docs/swagger-ui-bundle.js", method: "GET" }),
  "the sitemap": () => ({ path: "/sitemap.xml", method: "GET" }),
  "the calendar feed": () => ({ path: "/api/events.ics", method: "GET" }),
  "the home page": () => ({ path: "/", method: "GET" }),
  "a page of an event": () => ({ path: `/events/${event.slug}`, method: "GET" }),
  "pages that do not exist": () => ({ path: `/nowhere/${turn++}`, method: "GET" }),
  "health checks": () => ({ path: "/api/health", method: "GET" }),
  "refused reads": () => ({ path: "/api/learners", method: "GET" }),
  "a script of the pages": () => ({ path: script, method: "GET" }),
  "the bridge of packages": () => ({ path: "/lyceum.js", method: "GET", content: true }),
  "forged grants": () => ({ path: `/files/${randomUUID()}/index.html`, method: "GET", content: true }),
  "downloads that do not exist": () => ({ path: `/v0/b/lyceum/o/${randomUUID()}?alt=media`, method: "GET" }),
  "bodies byte by byte": () => ({
    path: "/api/auth/sign-in",
    body: JSON.stringify({ email: "nobody@example.com", password: "x".repeat(40_000) }),
    type: json,
    trickled: true,
  }),
};

const agent = new Agent({ keepAlive: true, maxSockets: STRANGERS });
const send = ({ path, method = "POST", body, type, content, trickled }: Sent) =>
  new Promise<number>((resolve) => {
    const origin = (content ? server.contentUrl : server.url).replace("localhost", "127.0.0.1");
    const headers = {
      "x-forwarded-for": "203.0.113.7",
      host: new URL(content ? server.contentUrl : server.url).host,
      "accept-encoding": "gzip, br",
      ...(type && { "content-type": type }),
      ...(body && { "content-length": Buffer.byteLength(body) }),
    };
    const call = request(origin + path, { agent, method, headers }, (reply) => {
      reply.resume();
      reply.on("end", () => resolve(reply.statusCode ?? 0));
    });
    call.setTimeout(20_000, () => call.destroy());
    call.on("error", () => resolve(0));
    if (!trickled) return void call.end(body);
    let at = 0;
    const drip = setInterval(() => call.write(String(body)[at++]), 500);
    call.on("close", () => clearInterval(drip));
  });
const rssMb = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid()}/status`, "utf8"))?.[1]) / 1024;

await load(LEARNERS, 2, post);
for (const [name, attack] of Object.entries(attacks)) {
  const quiet = await load(LEARNERS, Math.min(10, SECONDS), post);
  const statuses = new Map<number, number>();
  let peak = rssMb();
  const watch = setInterval(() => {
    peak = Math.max(peak, rssMb());
  }, 100);
  const [busy] = await Promise.all([
    load(LEARNERS, SECONDS, post),
    load(STRANGERS, SECONDS, async () => {
      const status = await send(attack());
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }),
  ]);
  clearInterval(watch);
  console.log(
    JSON.stringify({
      strangers: name,
      commitP95: round(busy.p95),
      load: round(loadavg()[0] as number, 1),
      quietP95: round(quiet.p95),
      ratio: round(busy.p95 / quiet.p95, 1),
      statuses: Object.fromEntries(statuses),
      above499: [...statuses].filter(([status]) => status > 499).reduce((sum, [, n]) => sum + n, 0),
      peakMb: round(peak, 0),
    }),
  );
}
close();
agent.destroy();
await server.remove();
