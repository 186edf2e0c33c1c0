import { expect, test } from "vitest";
import { academies } from "#shared/settings/settings.ts";
import { start } from "#test/start.ts";

const { app, as, make } = await start();
const admin = await make.admin();
const url = "/manifest.webmanifest";

test("the manifest names the academy, and its ETag says whether it changed", async () => {
  const { version } = (await as(admin)(academies.settings)).body;
  await as(admin)(academies.update, { body: { academyName: "Norrvik Academy", version } });
  const { headers, payload } = await app.inject({ url });
  expect(headers).toMatchObject({ "content-type": "application/manifest+json", "cache-control": "no-cache" });
  expect(JSON.parse(payload)).toMatchObject({
    name: "Norrvik Academy",
    start_url: "/today",
    scope: "/",
    display: "standalone",
    icons: [{ sizes: "192x192" }, { sizes: "512x512", purpose: "any" }, { purpose: "maskable" }],
  });
  const again = await app.inject({ url, headers: { "if-none-match": String(headers.etag) } });
  expect(again.statusCode).toBe(304);
});
