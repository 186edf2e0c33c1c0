import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { start } from "#test/start.ts";

const { app } = await start();
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

test("the API document and its page are compressed, and answered with 304", async () => {
  for (const url of ["/api/openapi.json", "/api/docs/swagger-ui-bundle.js", "/api/docs/swagger-ui.css"]) {
    const plain = await get(url);
    const br = await get(url, { "accept-encoding": "gzip, br" });
    const gzip = await get(url, { "accept-encoding": "gzip, br;q=0" });
    expect([br.headers["content-encoding"], gzip.headers["content-encoding"]]).toEqual(["br", "gzip"]);
    expect(brotliDecompressSync(br.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(br.rawPayload.length * 3).toBeLessThan(plain.rawPayload.length);
    for (const { headers } of [plain, br, gzip]) {
      expect(headers).toMatchObject({ vary: "accept-encoding", "cache-control": "public, no-cache" });
      const again = {
        "accept-encoding": String(headers["content-encoding"] ?? ""),
        "if-none-match": `"x", ${headers.etag}`,
      };
      expect(await get(url, again)).toMatchObject({ statusCode: 304, body: "" });
    }
    expect(new Set([plain, br, gzip].map(({ headers }) => headers.etag)).size).toBe(3);
    expect((await get(url, { "if-none-match": '"other"' })).statusCode).toBe(200);
  }
});

test("the page of the API document loads only our own files", async () => {
  const { body, headers } = await get("/api/docs");
  expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  for (const [, address = ""] of body.matchAll(/(?:src|href)="([^"]+)"/g))
    expect([address, (await get(address)).statusCode]).toEqual([address, 200]);
});

test("the sitemap, the feed and robots.txt are compressed and answered with 304", async () => {
  for (const url of ["/sitemap.xml", "/api/events.ics", "/robots.txt"]) {
    const { headers, statusCode } = await get(url);
    expect([url, statusCode, headers["cache-control"]]).toEqual([url, 200, "public, max-age=300"]);
    expect((await get(url, { "if-none-match": String(headers.etag) })).statusCode).toBe(304);
  }
});
