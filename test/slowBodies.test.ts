import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { auth } from "#shared/auth/auth.ts";
import { OBJECTS_PATH } from "#shared/files/files.ts";
import { player, SESSION_HEADER } from "#shared/player/player.ts";
import { multipart } from "#test/client.ts";
import { start } from "#test/start.ts";

// Bodies that arrive byte by byte are refused on both origins, and uploads over slow networks are not

const { app, content, make } = await start();
await Promise.all([app, content].map((origin) => origin.listen({ port: 0, host: "127.0.0.1" })));
const portOf = (origin: typeof app) => (origin.server.address() as AddressInfo).port;

/** Sends the head of a request, and then its body in pieces of a size, twice a second. */
async function send(
  origin: typeof app,
  path: string,
  headers: Record<string, string>,
  body: Buffer,
  pieceBytes: number,
) {
  const socket = connect(portOf(origin), "127.0.0.1");
  await once(socket, "connect");
  let received = "";
  socket.on("data", (bytes: Buffer) => (received += bytes.toString()));
  socket.on("error", () => {});
  const startedAt = performance.now();
  let closedAfter = Number.POSITIVE_INFINITY;
  socket.on("close", () => (closedAfter = performance.now() - startedAt));
  const all = { host: "127.0.0.1", "content-length": String(body.length), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
  let at = 0;
  const timer = setInterval(() => {
    if (at >= body.length || socket.destroyed) return clearInterval(timer);
    socket.write(body.subarray(at, at + pieceBytes));
    at += pieceBytes;
  }, 500);
  const stop = () => {
    clearInterval(timer);
    socket.destroy();
  };
  return { status: () => Number(/HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0), closedAfter: () => closedAfter, stop };
}

test("a hundred trickled bodies are refused in time, and a slow upload is stored", { timeout: 120_000 }, async () => {
  const { learner, company, course } = await make.classroom();
  const { sessionId, token } = await make.launch(learner, company.id, course.id);
  const json = { "content-type": "application/json" };
  const text = Buffer.alloc(2000, " ");
  const trickled = await Promise.all(
    Array.from({ length: 100 }, (_, at) =>
      at % 2 === 0
        ? send(app, auth.signIn.path, json, text, 1)
        : send(
            content,
            `/commit/${sessionId}?token=${encodeURIComponent(token)}`,
            { "content-type": "text/plain" },
            text,
            1,
          ),
    ),
  );
  const commit = await send(
    app,
    player.commit.path.replace(":id", sessionId),
    { ...json, [SESSION_HEADER]: token },
    text,
    1,
  );

  const authorization = `Bearer ${learner.token}`;
  const avatar = Buffer.alloc(45_000);
  avatar.set(Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489", "hex"));
  const upload = (name: string) => {
    const made = multipart({ contentType: "image/png", metadata: { purpose: "avatar" } }, avatar);
    const path = `${OBJECTS_PATH}?name=${encodeURIComponent(`avatars/${learner.user.id}/${name}.png`)}`;
    return { path, headers: { ...made.headers, authorization }, body: made.body };
  };
  const [slow, stuck] = [upload("slow"), upload("stuck")];
  const slowUpload = await send(app, slow.path, slow.headers, slow.body, 450);
  const stuckUpload = await send(app, stuck.path, stuck.headers, stuck.body, 5);

  await sleep(25_000);
  expect(trickled.map(({ closedAfter }) => closedAfter()).filter((ms) => ms > 22_000)).toEqual([]);
  expect(commit.closedAfter()).toBeLessThan(22_000);
  expect(new Set(trickled.map(({ status }) => status()))).toEqual(new Set([408]));
  expect([slowUpload.status(), stuckUpload.status()]).toEqual([0, 0]);
  await sleep(22_000);
  expect(stuckUpload.closedAfter()).toBeLessThan(47_000);
  await expect.poll(() => slowUpload.status(), { timeout: 30_000 }).toBe(200);
  for (const { stop } of [slowUpload, stuckUpload, commit, ...trickled]) stop();
});
