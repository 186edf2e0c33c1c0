import { expect, test } from "vitest";
import { learners } from "#shared/learners/learners.ts";
import { start } from "#test/start.ts";

const lines: { level: number; msg: string; route?: string; reqId: string; ms: number }[] = [];
const texts: string[] = [];
const { app, content, as, make } = await start({}, (line) => {
  texts.push(line);
  lines.push(JSON.parse(line) as (typeof lines)[0]);
});
const INFO = 30;
const entriesOf = (route: string) => lines.filter((line) => line.msg === "request" && line.route === route);

test("a request is logged in one line with its route, without its caller and URL", async () => {
  const { learner, admin } = await make.classroom();
  const query = { q: "very-private-name" };
  await as(admin)(learners.list, { query });
  await app.inject("/api/events/very-private-slug?code=very-private-code");
  await content.inject("/play/very-private-grant/");
  expect(entriesOf(learners.list.path)).toEqual([expect.objectContaining({ level: INFO, method: "GET", status: 200 })]);
  const [entry] = entriesOf(learners.list.path);
  expect(entry).toMatchObject({
    ms: expect.any(Number) as number,
    reqId: expect.stringMatching(/^[\w-]{36}$/) as string,
  });
  expect(entriesOf("/api/events/:slug")).toMatchObject([{ level: INFO, status: 404 }]);
  const all = texts.join("");
  for (const secret of ["very-private", learner.token, admin.token, admin.user.id]) expect(all).not.toContain(secret);
});

test("health checks and files are logged at debug", async () => {
  for (const url of ["/api/health", "/api/health/live"]) await app.inject(url);
  await content.inject("/lyceum.js");
  for (const route of ["/api/health", "/api/health/live", "/lyceum.js"])
    expect(entriesOf(route).map(({ level }) => level)).toEqual([INFO - 10]);
});
