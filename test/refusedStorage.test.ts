import { afterAll, expect, test } from "vitest";
import { sentence } from "#server/core/http/problem.ts";
import { objectAddress, OBJECTS_PATH } from "#shared/files/files.ts";
import { multipart } from "#test/client.ts";
import { createProcess, freePort } from "#test/process.ts";
import { startS3 } from "#test/s3.ts";
import { start } from "#test/start.ts";

// A bucket that refuses the credentials of the server, or does not answer

const s3 = await startS3();
afterAll(() => s3.stop());
const SECRET = "hunter2-very-secret";
const KEY = "AKIAFORGOTTEN";
const refusing = s3.url.replace("S3RVER:S3RVER", `${KEY}:${SECRET}`);
const logged: string[] = [];
const server = await start({ STORAGE_URL: refusing }, (line) => logged.push(line));
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Uploads and downloads a picture. */
async function useFiles({ app, make, db }: typeof server) {
  const { learner } = await make.classroom();
  const path = `avatars/${learner.user.id}/me.png`;
  const { headers, body } = multipart({ contentType: "image/png", metadata: { purpose: "avatar" } }, PNG);
  const authorization = `Bearer ${learner.token}`;
  const sent = await app.inject({
    method: "POST",
    url: `${OBJECTS_PATH}?name=${encodeURIComponent(path)}`,
    headers: { ...headers, authorization },
    payload: body,
  });
  await db
    .insertInto("files")
    .values({
      bucket: "lyceum",
      fullPath: path,
      purpose: "avatar",
      ownerId: learner.user.id,
      visibility: "private",
      contentType: "image/png",
      detectedType: "image/png",
      size: 1,
      md5Hash: "none",
      sha256: "none",
      storageKey: "abcdefghijklmnopqrstuvwxyz",
    })
    .execute();
  const read = await app.inject({ url: `${objectAddress(path)}?alt=media`, headers: { authorization } });
  return [sent, read].map((reply) => ({
    status: reply.statusCode,
    ...(reply.json() as { code: string; error: string }),
  }));
}

test("file requests are answered with 503 and our text, without the credentials", async () => {
  const replies = await useFiles(server);
  for (const reply of replies)
    expect(reply).toMatchObject({
      status: 503,
      code: "files.storageRefused",
      error: sentence("files.storageRefused"),
    });
  const health = await server.app.inject("/api/health");
  expect([health.statusCode, health.json()]).toMatchObject([503, { database: "ok", storage: "refused" }]);
  for (const text of [JSON.stringify(replies), health.body, ...logged]) {
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain(KEY);
  }
});

test("a silent bucket is told from a refusing one, and from the database", async () => {
  const endpoint = encodeURIComponent(`http://127.0.0.1:${await freePort()}`);
  const other = await start({ STORAGE_URL: `s3://K:S@academy?endpoint=${endpoint}&region=us-east-1` }, () => {});
  for (const reply of await useFiles(other))
    expect(reply).toMatchObject({ status: 503, code: "files.storageUnreachable" });
  expect((await other.app.inject("/api/health")).json()).toMatchObject({ database: "ok", storage: "unreachable" });
});

test("the start names STORAGE_URL, and the server is alive", { timeout: 90_000 }, async () => {
  const process_ = await createProcess({ STORAGE_URL: refusing });
  const starting = process_.start();
  starting.catch(() => {});
  await expect
    .poll(() => process_.output(), { timeout: 60_000 })
    .toMatch(/Files can neither be stored nor read: the bucket refuses the credentials .* Check STORAGE_URL/);
  await expect
    .poll(
      () =>
        fetch(`${process_.url}/api/health/live`).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 30_000 },
    )
    .toBe(200);
  expect((await fetch(`${process_.url}/api/health`)).status).toBe(503);
  expect(process_.output()).not.toContain(SECRET);
  await process_.remove();
  await starting.catch(() => {});
});
