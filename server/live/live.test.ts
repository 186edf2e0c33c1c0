import { afterEach, expect, test, vi } from "vitest";
import { announceChange } from "#server/core/live/announcements.ts";
import { learners } from "#shared/learners/learners.ts";
import type { Person } from "#test/start.ts";
import { start } from "#test/start.ts";

const server = await start();
const { as, make, db } = server;
const other = await server.startAnother();
const urls = await Promise.all([server, other].map(({ app }) => app.listen({ port: 0, host: "127.0.0.1" })));
const open: AbortController[] = [];
afterEach(() => open.splice(0).forEach((one) => one.abort()));

/** Opens a stream on a node, and collects its messages. */
async function follow(person: Person | null, node = 0, age = 0) {
  const controller = new AbortController();
  open.push(controller);
  const response = await fetch(`${urls[node]}/api/live?age=${age}`, {
    headers: person ? { authorization: `Bearer ${person.token}` } : {},
    signal: controller.signal,
  });
  const heard: string[] = [];
  const state = { status: response.status, type: response.headers.get("content-type"), heard, ended: false };
  const read = async () => {
    for await (const bytes of response.body ?? []) heard.push(new TextDecoder().decode(bytes));
  };
  void read().then(
    () => (state.ended = true),
    () => (state.ended = true),
  );
  await vi.waitFor(() => expect(response.ok ? heard.join("") : "retry").toContain("retry"), 15_000);
  return state;
}
/** Announces a change until the streams receive it: the node may still be connecting. */
const announced = (change: Parameters<typeof announceChange>[1], heard: () => void) =>
  vi.waitFor(
    async () => {
      await announceChange(db, change);
      heard();
    },
    { timeout: 10_000, interval: 300 },
  );

test("tells the browsers of admins on every node which data has changed", async () => {
  const admin = await make.admin();
  const streams = [await follow(admin, 0), await follow(admin, 1)];
  expect(streams.map(({ type }) => type)).toEqual(Array(2).fill("text/event-stream; charset=utf-8"));
  await announced({ domain: "variables" }, () => {
    for (const { heard } of streams) expect(heard.join("")).toContain('{"domains":["variables"]}');
  });
});

test("tells learners only what is addressed to them", async () => {
  const { learner, company, admin } = await make.classroom();
  const other = await make.learner(company.accessCode);
  const [mine, others, admins] = [await follow(learner), await follow(other), await follow(admin)];
  await announced({ domain: "variables" }, () => expect(admins.heard.join("")).toContain("variables"));
  await announced({ domain: "notifications", userId: learner.user.id }, () =>
    expect(mine.heard.join("")).toContain("notifications"),
  );
  expect(mine.heard.join("")).not.toContain("variables");
  expect(others.heard.join("")).not.toContain("domains");
  expect(admins.heard.join("")).not.toContain("notifications");
});

test("first names what changed while the page had no stream", async () => {
  const { learner, admin } = await make.classroom();
  const early = [await follow(admin, 0), await follow(admin, 1)];
  // The nodes are listening now.
  await announced({ domain: "flows" }, () => {
    for (const { heard } of early) expect(heard.join("")).toContain("flows");
  });
  const before = performance.now();
  await announced({ domain: "webhooks" }, () => {
    for (const { heard } of early) expect(heard.join("")).toContain("webhooks");
  });
  const age = performance.now() - before;
  for (const node of [0, 1]) {
    const late = await follow(admin, node, age);
    await vi.waitFor(() => expect(late.heard.join("")).toContain('"webhooks"'), 15_000);
    expect(late.heard.join("")).not.toContain("missed");
  }
  expect((await follow(learner, 0, age)).heard.join("")).not.toContain("webhooks");
  // The age exceeds the time that the node has listened: changes may have been missed.
  const lost = await follow(admin, 0, 3_000_000);
  await vi.waitFor(() => expect(lost.heard.join("")).toContain("event: missed"), 15_000);
});

test("refuses guests, and ends the stream of a person who is suspended", async () => {
  expect((await follow(null)).status).toBe(401);
  const { learner, admin } = await make.classroom();
  const stream = await follow(learner, 1);
  await as(admin)(learners.suspend, { body: { ids: [learner.user.id], reason: "left" } });
  await vi.waitFor(() => expect(stream.ended).toBe(true), 5000);
});

test("ends the oldest stream of a person who has too many", async () => {
  const admin = await make.admin();
  const first = await follow(admin);
  for (let more = 0; more < 6; more++) await follow(admin);
  await vi.waitFor(() => expect(first.ended).toBe(true), 15_000);
});
