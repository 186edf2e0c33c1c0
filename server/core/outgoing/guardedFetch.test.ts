import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createGuardedFetch, isRefusedAddress } from "#server/core/outgoing/guardedFetch.ts";
import { isPublicAddress } from "#server/core/outgoing/publicAddress.ts";

let requests = 0;
const server = createServer((request, response) => {
  requests++;
  if (request.url === "/redirect") return response.writeHead(302, { location: "http://127.0.0.1:1/" }).end();
  if (request.url === "/long") return response.end(Buffer.alloc(3 * 1024 ** 2));
  if (request.url === "/bomb")
    return response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(50 * 1024 ** 2)));
  if (request.url === "/silent") return;
  response.end("hello");
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
const urlOf = (path: string, host = "127.0.0.1") => `http://${host}:${(server.address() as AddressInfo).port}${path}`;
const refusal = (url: string) => createGuardedFetch([])(url).then(() => "sent", isRefusedAddress);

test.each([
  "127.0.0.1",
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "169.254.169.254",
  "172.16.0.1",
  "192.168.1.1",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::7f00:1",
  "fd00::1",
  "fe80::1",
  "64:ff9b::7f00:1",
  "2002:7f00:1::",
  "2001::1",
])("%s is not a public address", (address) => expect(isPublicAddress(address)).toBe(false));

test.each(["8.8.8.8", "2606:4700:4700::1111"])("%s is a public address", (address) =>
  expect(isPublicAddress(address)).toBe(true),
);

test.each([
  "https://127.0.0.1/",
  "https://127.1/",
  "https://2130706433/",
  "https://0x7f000001/",
  "https://0177.0.0.1/",
  "https://[::1]/",
  "https://[::ffff:7f00:1]/",
  "https://localhost/",
  "http://example.com/",
  "https://user:password@example.com/",
  "ftp://example.com/",
])("refuses %s without a request", async (url) => {
  const before = requests;
  expect(await refusal(url)).toBe(true);
  expect(requests).toBe(before);
});

test("calls a private host that the operator has allowed", async () => {
  const { port } = server.address() as AddressInfo;
  expect(await (await createGuardedFetch([`127.0.0.1:${port}`])(urlOf("/"))).text()).toBe("hello");
  await expect(createGuardedFetch(["127.0.0.1:1"])(urlOf("/"))).rejects.toThrow(/not an HTTPS address/);
});

test("returns a redirect instead of following it", async () => {
  const reply = await createGuardedFetch(["127.0.0.1"])(urlOf("/redirect"));
  expect([reply.status, reply.headers.get("location")]).toEqual([302, "http://127.0.0.1:1/"]);
});

test("ends a reply that is too long, also after decompression", async () => {
  const fetch = createGuardedFetch(["127.0.0.1"]);
  for (const path of ["/long", "/bomb"]) await expect((await fetch(urlOf(path))).arrayBuffer()).rejects.toThrow();
  expect((await (await fetch(urlOf("/long"), { maxBytes: 4 * 1024 ** 2 })).arrayBuffer()).byteLength).toBe(
    3 * 1024 ** 2,
  );
});

test("gives up after its time limit", async () => {
  await expect(createGuardedFetch(["127.0.0.1"])(urlOf("/silent"), { timeoutMs: 100 })).rejects.toThrow(/timeout/i);
});
