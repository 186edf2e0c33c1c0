import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { objectAddress, OBJECTS_PATH } from "#shared/files.ts";
import { multipart } from "#test/client.ts";
import { type Person, start } from "#test/start.ts";

const { app, make } = await start();
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const picture = Buffer.concat([PNG, Buffer.alloc(5 * 1024 ** 2 - 2048)]);

const put = async (who: Person, path: string) => {
  const { headers, body } = multipart({ contentType: "image/png", metadata: { purpose: "avatar" } }, picture);
  const reply = await app.inject({
    method: "POST",
    url: `${OBJECTS_PATH}?name=${encodeURIComponent(path)}`,
    headers: { authorization: `Bearer ${who.token}`, ...headers, "content-length": String(body.length) },
    payload: body,
  });
  return reply.statusCode;
};

test("portraits of one learner cannot fill the disk, not by many paths, one after the other or at once, nor by deleting in between", async () => {
  const { learner, company } = await make.classroom();
  const paths = Array.from({ length: 14 }, () => `avatars/${randomUUID()}`);
  const answers = await Promise.all(paths.slice(0, 7).map((path) => put(learner, path)));
  for (const path of paths.slice(7)) answers.push(await put(learner, path));
  expect(answers.filter((status) => status === 200)).toHaveLength(10);
  expect(new Set(answers)).toEqual(new Set([200, 402]));
  for (const [at, path] of paths.entries())
    if (answers[at] === 200)
      await app.inject({
        method: "DELETE",
        url: objectAddress(path),
        headers: { authorization: `Bearer ${learner.token}` },
      });
  // The bytes are there for another day.
  expect(await put(learner, paths[0] as string)).toBe(402);
  expect(await put(await make.learner(company.accessCode), `avatars/${randomUUID()}`)).toBe(200);
});
