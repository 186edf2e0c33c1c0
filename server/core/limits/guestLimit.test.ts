import { expect, test } from "vitest";
import { auth } from "#shared/auth/auth.ts";
import { events } from "#shared/events/events.ts";
import { start } from "#test/start.ts";

const { app } = await start();
const read = (ip: string) => app.inject({ url: events.list.path, remoteAddress: ip });

test("reads of one network beyond the limit wait, and those of others do not", async () => {
  let answered = 0;
  const flood = Array.from({ length: 125 }, () =>
    read("203.0.113.7").then((reply) => {
      answered++;
      return reply.statusCode;
    }),
  );
  expect((await read("198.51.100.7")).statusCode).toBe(200);
  await Promise.all(flood.slice(0, 120));
  // The last five get their turn at ten a second.
  expect(answered).toBeLessThan(125);
  expect(await Promise.all(flood)).toEqual(Array.from({ length: 125 }, () => 200));
});

test("requests of this machine are not slowed down", async () => {
  const replies = await Promise.all(Array.from({ length: 200 }, () => read("127.0.0.1")));
  expect(replies.every(({ statusCode }) => statusCode === 200)).toBe(true);
});

test("a refused write delays no request of another network", async () => {
  const write = (ip: string) =>
    app.inject({
      method: "POST",
      url: auth.requestReset.path,
      remoteAddress: ip,
      headers: { "content-type": "application/json", "content-length": String(200_000) },
      payload: { email: "x" },
    });
  const order: string[] = [];
  const flood = Array.from({ length: 60 }, () =>
    write("203.0.113.8").then(({ statusCode }) => order.push(`flood ${statusCode}`)),
  );
  await write("198.51.100.8").then(() => order.push("other"));
  await Promise.all(flood);
  expect(order.indexOf("other")).toBeLessThan(order.indexOf("flood 429"));
});
