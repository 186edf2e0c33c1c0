import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";
import { OBJECTS_PATH, upload } from "#shared/files/files.ts";
import { learners } from "#shared/learners/learners.ts";
import { createEventMaker } from "#test/events.ts";
import { start } from "#test/start.ts";

// What strangers send: refused before it is read, bounded in size, and without effect on the next request

const server = await start();
const { app, as, make } = server;
await app.listen({ port: 0, host: "127.0.0.1" });
const { port } = app.server.address() as AddressInfo;

/** A connection that collects what it receives. */
async function open(to = port) {
  const socket = connect(to, "127.0.0.1");
  await once(socket, "connect");
  let received = "";
  socket.on("data", (chunk: Buffer) => {
    received += chunk.toString();
  });
  socket.on("error", () => {});
  const statuses = () => [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
  const waitFor = async (count: number) => {
    for (let tries = 0; tries < 200 && statuses().length < count; tries++) await sleep(25);
    return statuses();
  };
  return { socket, waitFor, received: () => received };
}
const head = (method: string, path: string, headers: Record<string, string | number>) =>
  `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`;

test("a stranger is refused before the body is read", async () => {
  const { socket, waitFor } = await open();
  socket.write(head("POST", learners.invite.path, { "content-type": "application/json", "content-length": 50_000 }));
  expect(await waitFor(1)).toEqual([401]);
  socket.destroy();
});

test("a body above the limit of its endpoint is refused by its length", async () => {
  const admin = await make.admin();
  const { socket, waitFor } = await open();
  const authorization = `Bearer ${admin.token}`;
  const headers = { authorization, "content-type": "application/json", "content-length": 300_000 };
  socket.write(head("POST", learners.suspend.path, headers));
  expect(await waitFor(1)).toEqual([413]);
  socket.destroy();
});

test("a refused upload does not block the next request on its connection", async () => {
  const { socket, waitFor } = await open();
  const boundary = "next";
  const start = `--${boundary}\r\ncontent-type: application/json\r\n\r\n{}\r\n--${boundary}\r\n\r\n`;
  const bytes = 400_000;
  socket.write(
    head("POST", `${OBJECTS_PATH}?name=refused.bin`, {
      [upload.protocol]: "multipart",
      "content-type": `multipart/related; boundary=${boundary}`,
      "content-length": start.length + bytes,
    }),
  );
  socket.write(start);
  expect(await waitFor(1)).toEqual([401]);
  socket.write(Buffer.alloc(bytes));
  socket.write(head("GET", "/api/academy", {}));
  expect(await waitFor(2)).toEqual([401, 200]);
  socket.destroy();
});

test("a description of an upload that is too long does not block the next request", async () => {
  const admin = await make.admin();
  const { socket, waitFor } = await open();
  const bytes = 400_000;
  socket.write(
    head("POST", `${OBJECTS_PATH}?name=described.bin`, {
      authorization: `Bearer ${admin.token}`,
      [upload.protocol]: "resumable",
      [upload.command]: "start",
      [upload.length]: 1000,
      "content-length": bytes,
    }),
  );
  socket.write(Buffer.alloc(bytes, "a"));
  expect(await waitFor(1)).toEqual([400]);
  socket.write(head("GET", "/api/academy", {}));
  expect(await waitFor(2)).toEqual([400, 200]);
  socket.destroy();
});

test("the connection of an endless refused upload is closed", async () => {
  const { socket, waitFor } = await open();
  socket.write(head("POST", `${OBJECTS_PATH}?name=endless.bin`, { "content-length": 2 ** 36 }));
  expect(await waitFor(1)).toEqual([401]);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  const pump = () => {
    while (!socket.destroyed && socket.write(Buffer.alloc(65_536)));
  };
  socket.on("drain", pump);
  pump();
  await closed;
});

test("the commit of a closing page is refused before its body is read", async () => {
  const content = server.content;
  await content.listen({ port: 0, host: "127.0.0.1" });
  const { socket, waitFor } = await open((content.server.address() as AddressInfo).port);
  const path = `/commit/${randomUUID()}?token=guessed`;
  socket.write(head("POST", path, { "content-type": "text/plain", "content-length": 50_000 }));
  expect(await waitFor(1)).toEqual([401]);
  socket.destroy();
});

test("a commit that unpacks to millions of values is refused unseen", async () => {
  const { learner, company, course } = await make.classroom();
  const { sessionId, token } = await make.launch(learner, company.id, course.id);
  const bomb = gzipSync(`{"events":[${"{},".repeat(1_000_000)}{}]}`);
  const reply = await server.content.inject({
    method: "POST",
    url: `/commit/${sessionId}?token=${token}`,
    headers: { "content-type": "text/plain" },
    payload: bomb,
  });
  expect([bomb.length < 10_000, reply.statusCode]).toEqual([true, 413]);
});

test("a registration with thousands of unknown answers gets a short reply", async () => {
  const maker = createEventMaker(server);
  const admin = await make.admin();
  const event = await maker.createPublished(admin);
  const unknown = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`x${n}`, "y"]));
  const send = (answers: object) =>
    app.inject({
      method: "POST",
      url: eventRegistrations.register.path.replace(":slug", event.slug),
      payload: { ...maker.form(event), answers },
    });
  expect((await send(unknown(15_000))).statusCode).toBe(413);
  const reply = await send(unknown(1500));
  expect(reply.statusCode).toBe(422);
  expect(reply.json().issues).toHaveLength(20);
  const valid = Object.fromEntries(Array.from({ length: 201 }, () => [randomUUID(), "y"]));
  expect(
    (
      await as(null)(eventRegistrations.register, {
        params: { slug: event.slug },
        body: { ...maker.form(event), answers: valid },
      })
    ).status,
  ).toBe(422);
});

test("guests of one network can send a bounded number of requests a minute", async () => {
  const send = () =>
    app.inject({ method: "POST", url: "/api/auth/sign-out", remoteAddress: "203.0.113.7", payload: {} });
  const replies = await Promise.all(Array.from({ length: 610 }, send));
  const refused = replies.filter(({ statusCode }) => statusCode === 429);
  expect(refused).toHaveLength(10);
  expect(Number(refused[0]?.headers["retry-after"])).toBeGreaterThan(0);
  expect(
    (await app.inject({ method: "POST", url: "/api/auth/sign-out", remoteAddress: "198.51.100.7", payload: {} }))
      .statusCode,
  ).toBe(204);
});
