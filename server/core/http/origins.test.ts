import { expect, test } from "vitest";
import { checkOrigins, defaultContentOrigin, otherHosts } from "#server/core/http/origins.ts";

test.each([
  ["http://localhost:3000", "http://localhost:3001", []],
  ["https://academy.example.com", "https://content.example.com", []],
  ["https://academy.example.com", "https://content.academy.example.com", []],
  ["http://app.lyceum.localhost:3000", "http://content.lyceum.localhost:3001", []],
  ["http://localhost:3000", "http://127.0.0.1:3001", [/different sites/]],
  ["http://localhost:3000", "http://content.localhost:3001", [/different sites/]],
  ["https://academy.example.com", "http://content.example.com", [/different sites/]],
  ["https://academy.example.com", "https://academy-content.net", [/different sites/]],
  ["http://10.0.0.5:3000", "http://10.0.0.6:3001", [/different sites/]],
  ["http://10.0.0.5:3000", "http://10.0.0.5:3001", [/same host/]],
  ["https://academy.example.com", "https://academy.example.com:8443", [/same host/]],
])("warns about %s and %s: %j", (publicUrl, contentOrigin, expected) => {
  expect(checkOrigins({ publicUrl, contentOrigin })).toEqual(expected.map((text) => expect.stringMatching(text)));
});

test("the default content origin is on the site of a local application", () => {
  for (const publicUrl of ["http://localhost:3000", "http://127.0.0.1:3000"])
    expect(checkOrigins({ publicUrl, contentOrigin: defaultContentOrigin(publicUrl, 3001) })).toEqual([]);
});

test("other names of this machine are redirected to the application", () => {
  const hosts = otherHosts({ publicUrl: "http://localhost:3000", contentOrigin: "http://localhost:3001" });
  expect([...hosts].toSorted()).toEqual(["127.0.0.1", "[::1]"]);
});
