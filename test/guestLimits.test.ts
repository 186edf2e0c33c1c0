import { randomUUID } from "node:crypto";
import diagnostics from "node:diagnostics_channel";
import type { FastifyInstance, RouteOptions } from "fastify";
import { expect, test } from "vitest";
import { learners } from "#shared/learners/learners.ts";
import { sampled } from "#test/long.ts";
import { start } from "#test/start.ts";

// Every route of both origins counts the requests of guests

type Route = { method: string; url: string; pace?: string };
const routes = new Map<FastifyInstance, Route[]>();
const listRoutes = (message: unknown) => {
  const { fastify } = message as { fastify: FastifyInstance };
  const found: Route[] = [];
  routes.set(fastify, found);
  fastify.addHook("onRoute", ({ method, url, config }: RouteOptions) => {
    for (const one of [method].flat()) found.push({ method: one, url, ...(config?.pace && { pace: config.pace }) });
  });
};
diagnostics.subscribe("fastify.initialization", listRoutes);
const { app, content, make } = await start();
diagnostics.unsubscribe("fastify.initialization", listRoutes);

const STRANGER = "198.51.100.7";
/** A request that was not counted is answered much faster than this. */
const DELAYED_MS = 1000;
const pathOf = (url: string) =>
  url
    .replace(":bucket", "lyceum")
    .replace(/:\w+/g, () => randomUUID())
    .replace("*", "x");
const isRead = ({ method }: Route) => method === "GET" || method === "HEAD";

/**
 * Sends a request without a body, but with the length of a large one. Returns whether it was delayed or refused because
 * of others.
 */
async function isSlowed(origin: FastifyInstance, route: Route, remoteAddress = STRANGER) {
  const startedAt = performance.now();
  const { statusCode } = await origin.inject({
    method: route.method as "GET",
    url: pathOf(route.url),
    remoteAddress,
    headers: { host: "localhost", ...(!isRead(route) && { "content-length": "300000" }) },
  });
  return statusCode === 429 || performance.now() - startedAt > DELAYED_MS;
}
const sendMany = (origin: FastifyInstance, route: Route, count: number) =>
  Promise.all(Array.from({ length: count }, () => isSlowed(origin, route)));
/** More requests than a guest may send at once to a route. */
const floodOf = (route: Route) => (isRead(route) ? 250 : 25);

test("no route of either origin is left without a limit for guests", { timeout: 180_000 }, async () => {
  const all = [app, content].flatMap((origin) =>
    (routes.get(origin) ?? []).filter(({ method }) => method !== "HEAD").map((route) => ({ origin, ...route })),
  );
  const urls = all.map(({ url }) => url);
  expect(urls).toEqual(
    expect.arrayContaining(["/api/openapi.json", "/api/docs", "/sitemap.xml", "/api/health", "/v0/b/:bucket/o", "/*"]),
  );
  expect(urls).toEqual(
    expect.arrayContaining(["/play/:grant/", "/files/:grant/*", "/commit/:id", "/recording/:id/:number", "/lyceum.js"]),
  );
  expect(urls.length).toBeGreaterThan(300);

  // Refusals of all routes of an origin count together.
  await sendMany(app, { method: "GET", url: learners.list.path }, 6100);
  await sendMany(content, { method: "GET", url: "/play/:grant/" }, 6100);
  const probes = await Promise.all(all.map(async (route) => ({ route, slow: await isSlowed(route.origin, route) })));
  const answered = probes.filter(({ slow }) => !slow).map(({ route }) => route);
  expect(answered.length).toBeLessThan(all.length / 4);
  // Files are sent from memory or a disk, and a guest may have thousands.
  const rest = sampled(
    "limits",
    answered.filter(({ pace }) => pace !== "file"),
    24,
  );
  let unlimited = rest;
  // A minute may end between a flood and the request after it, but not twice.
  for (let turn = 0; turn < 2; turn++) {
    const turned: typeof rest = [];
    for (let at = 0; at < unlimited.length; at += 8) {
      const some = unlimited.slice(at, at + 8);
      await Promise.all(some.map((route) => sendMany(route.origin, route, floodOf(route))));
      const last = await Promise.all(some.map((route) => isSlowed(route.origin, route)));
      turned.push(...some.filter((_, n) => !last[n]));
    }
    unlimited = turned;
  }
  expect(unlimited.map(({ method, url }) => `${method} ${url}`)).toEqual([]);
});

test("an address without a route has a limit too, on both origins", { timeout: 60_000 }, async () => {
  for (const origin of [app, content]) {
    const nowhere = { method: "POST", url: "/nowhere" };
    await sendMany(origin, nowhere, 25);
    expect(await isSlowed(origin, nowhere)).toBe(true);
    expect(await isSlowed(origin, nowhere, "203.0.113.7")).toBe(false);
  }
});

test(
  "a network that reads a file endlessly is delayed, an office with a page is not",
  { timeout: 120_000 },
  async () => {
    const script = { method: "GET", url: "/lyceum.js", pace: "file" };
    await sendMany(content, script, 5000);
    expect(await isSlowed(content, script)).toBe(false);
    // A slow machine sends so slowly that the first thousands are allowed.
    let isDelayed = false;
    for (let turn = 0; turn < 4 && !isDelayed; turn++) {
      await sendMany(content, script, 4000);
      isDelayed = await isSlowed(content, script);
    }
    expect(isDelayed).toBe(true);
  },
);

test("learners of one office open a course with hundreds of files", { timeout: 60_000 }, async () => {
  const { learner, company, course } = await make.classroom();
  const { shell } = await make.launch(learner, company.id, course.id);
  const url = `${new URL(shell).pathname.replace("/play/", "/files/")}index.html`;
  const startedAt = performance.now();
  const replies = await Promise.all(
    Array.from({ length: 600 }, () => content.inject({ url, remoteAddress: "203.0.113.9" })),
  );
  expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  expect(performance.now() - startedAt).toBeLessThan(15_000);
});

test("people who are signed in are not counted with the guests of their network", { timeout: 60_000 }, async () => {
  const { learner, admin } = await make.classroom();
  const headersOf = [`Bearer ${learner.token}`, `Firebase ${admin.token}`];
  for (const authorization of headersOf) {
    const url = "/api/events.ics";
    const replies = await Promise.all(
      Array.from({ length: 400 }, () => app.inject({ url, remoteAddress: "203.0.113.8", headers: { authorization } })),
    );
    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  }
});
