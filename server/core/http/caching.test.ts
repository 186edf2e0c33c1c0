import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { listContracts } from "#server/endpoints.ts";
import { auth } from "#shared/auth/auth.ts";
import { learners } from "#shared/learners/learners.ts";
import { ENDLESS_STREAMS } from "#test/operations.ts";
import { start } from "#test/start.ts";

const { app, as, make } = await start();

test("no reply of the API is stored by browsers or proxies", async () => {
  const { admin, learner } = await make.classroom();
  const reads = listContracts().filter(({ method, path }) => method === "GET" && !ENDLESS_STREAMS.includes(path));
  for (const person of [admin, learner, null])
    for (const { path } of reads) {
      const { headers } = await app.inject({
        url: path.replace(/:\w+/g, () => randomUUID()),
        headers: person ? { authorization: `Bearer ${person.token}` } : {},
      });
      expect([path, headers["cache-control"]]).toEqual([path, "no-store"]);
    }
  expect((await as(admin)(learners.get, { params: { id: learner.user.id } })).headers["cache-control"]).toBe(
    "no-store",
  );
  expect((await as(learner)(auth.me)).headers["cache-control"]).toBe("no-store");
});

test("a file that a cache knows by a weakened ETag is not sent again", async () => {
  const { headers } = await app.inject("/embed.js");
  const conditional = { "if-none-match": `"other", W/${headers.etag as string}` };
  expect((await app.inject({ url: "/embed.js", headers: conditional })).statusCode).toBe(304);
});
