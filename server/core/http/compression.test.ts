import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { companies } from "#shared/companies/companies.ts";
import { start } from "#test/start.ts";

const { app, make } = await start();
const admin = await make.admin();
const read = (url: string, encoding?: string) =>
  app.inject({
    url,
    headers: { authorization: `Bearer ${admin.token}`, ...(encoding && { "accept-encoding": encoding }) },
  });

test("long replies are compressed for who accepts it, short ones are not", async () => {
  const short = await read(companies.list.path, "gzip, deflate, br");
  expect(short.headers).not.toHaveProperty("content-encoding");
  for (let n = 0; n < 100; n++) await make.company(admin, { name: `Norrvik ${n}` });

  // The second one is so long that another thread compresses it.
  for (const size of [20, 100])
    for (const encoding of ["gzip", "br;q=1.0, gzip;q=0.8"]) {
      const url = `${companies.list.path}?size=${size}`;
      const [plain, reply] = [await read(url), await read(url, encoding)];
      expect(plain.headers).toMatchObject({ vary: "accept-encoding" });
      expect(reply.headers).toMatchObject({
        "content-encoding": "gzip",
        "content-length": String(reply.rawPayload.length),
        vary: "accept-encoding",
        "cache-control": "no-store",
      });
      expect(JSON.parse(gunzipSync(reply.rawPayload).toString())).toEqual(plain.json());
      expect(reply.rawPayload.length * 3).toBeLessThan(plain.rawPayload.length);
    }
  for (const encoding of ["identity", "br", "gzip;q=0"])
    expect((await read(`${companies.list.path}?size=20`, encoding)).headers).not.toHaveProperty("content-encoding");
});
