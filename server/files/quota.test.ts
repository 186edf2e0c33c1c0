import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { objectAddress, OBJECTS_PATH } from "#shared/files/files.ts";
import { multipart } from "#test/client.ts";
import { type Person, start } from "#test/start.ts";

const { app, make } = await start();
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const picture = Buffer.concat([PNG, Buffer.alloc(5 * 1024 ** 2 - 2048)]);

const uploadAvatar = async (person: Person, path: string) => {
  const { headers, body } = multipart({ contentType: "image/png", metadata: { purpose: "avatar" } }, picture);
  const reply = await app.inject({
    method: "POST",
    url: `${OBJECTS_PATH}?name=${encodeURIComponent(path)}`,
    headers: { authorization: `Bearer ${person.token}`, ...headers, "content-length": String(body.length) },
    payload: body,
  });
  return reply.statusCode;
};

test("limits the storage of a learner, also for parallel uploads and deleted files", async () => {
  const { learner, company } = await make.classroom();
  const paths = Array.from({ length: 14 }, () => `avatars/${randomUUID()}`);
  const statuses = await Promise.all(paths.slice(0, 7).map((path) => uploadAvatar(learner, path)));
  for (const path of paths.slice(7)) statuses.push(await uploadAvatar(learner, path));
  expect(statuses.filter((status) => status === 200)).toHaveLength(10);
  expect(new Set(statuses)).toEqual(new Set([200, 402]));
  for (const [index, path] of paths.entries())
    if (statuses[index] === 200)
      await app.inject({
        method: "DELETE",
        url: objectAddress(path),
        headers: { authorization: `Bearer ${learner.token}` },
      });
  // Deleted bytes are kept for another day, so they still count.
  expect(await uploadAvatar(learner, paths[0] as string)).toBe(402);
  expect(await uploadAvatar(await make.learner(company.accessCode), `avatars/${randomUUID()}`)).toBe(200);
});
