import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { OBJECTS_PATH, upload } from "#shared/files/files.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { multipart } from "#test/client.ts";
import { start } from "#test/start.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const { app, as, make, db, services } = await start();

test("deletes personal files immediately and keeps those of the company", async () => {
  const { admin, learner, company } = await make.classroom();
  const put = async (who: { token: string }, metadata: Record<string, string>) => {
    const path = `erasure/${randomUUID()}.png`;
    const { headers, body } = multipart({ metadata }, PNG);
    const reply = await app.inject({
      method: "POST",
      url: `${OBJECTS_PATH}?name=${encodeURIComponent(path)}`,
      headers: { ...headers, authorization: `Bearer ${who.token}` },
      payload: body,
    });
    expect(reply.statusCode).toBe(200);
    return (await db.selectFrom("files").where("fullPath", "=", path).select("storageKey").executeTakeFirstOrThrow())
      .storageKey;
  };
  const portrait = await put(learner, { purpose: "avatar" });
  const cover = await put(admin, { purpose: "event_cover", companyId: company.id });
  const started = await app.inject({
    method: "POST",
    url: `${OBJECTS_PATH}?name=half.png`,
    headers: {
      authorization: `Bearer ${learner.token}`,
      [upload.protocol]: "resumable",
      [upload.command]: "start",
      [upload.length]: "400000",
    },
    payload: JSON.stringify({ metadata: { purpose: "avatar" } }),
  });
  const { pathname, search } = new URL(String(started.headers[upload.url]));
  await app.inject({
    method: "POST",
    url: pathname + search,
    headers: { authorization: `Bearer ${learner.token}`, [upload.command]: "upload", [upload.offset]: "0" },
    payload: Buffer.alloc(300_000),
  });
  const { body } = await as(learner)(privacy.erase, { body: {} });
  expect(body.files).toBe(1);
  await expect(services.storage.read(portrait)).rejects.toThrow();
  (await services.storage.read(cover)).destroy();
  expect(readdirSync(join(services.config.filesDir, "uploads"))).toEqual([]);
});
