import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { call } from "#web/core/api/api.ts";
import { clearToken, setGrant } from "#web/core/session/token.ts";
import { companies } from "#shared/companies/companies.ts";
import type { User } from "#shared/core/users.ts";

const user = { id: "1", email: "a@b.io", role: "admin" } as unknown as User;
const grant = (token: string, seconds = 600) => ({
  user,
  token,
  expiresAt: new Date(Date.now() + seconds * 1000).toISOString(),
});
const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });

/** A server that accepts one token, which `/api/auth/token` issues. */
function serve(accepted: string | null) {
  const requests: string[] = [];
  vi.stubGlobal("fetch", async (address: string, { headers }: { headers: Record<string, string> }) => {
    requests.push(address);
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (address === "/api/auth/token")
      return accepted ? json(200, grant(accepted)) : json(401, { code: "core.signedOut", error: "Sign in to go on." });
    const isAccepted = accepted && headers.authorization === `Bearer ${accepted}`;
    return isAccepted
      ? json(200, { items: [], total: 0 })
      : json(401, { code: "core.signedOut", error: "Sign in to go on." });
  });
  return () => requests.filter((address) => address === "/api/auth/token").length;
}

beforeEach(() => {
  clearToken();
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => {}, removeItem: () => {} });
});
afterEach(() => vi.unstubAllGlobals());

const callEightTimes = () => Promise.allSettled(Array.from({ length: 8 }, () => call(companies.list, {})));

test("shares one refresh between calls without a token", async () => {
  const refreshes = serve("good");
  expect((await callEightTimes()).every(({ status }) => status === "fulfilled")).toBe(true);
  expect(refreshes()).toBe(1);
});

test("shares one refresh between rejected calls and retries them", async () => {
  const refreshes = serve("good");
  setGrant(grant("revoked"));
  expect((await callEightTimes()).every(({ status }) => status === "fulfilled")).toBe(true);
  expect(refreshes()).toBe(1);
});

test("renews a token that is about to expire", async () => {
  const refreshes = serve("good");
  setGrant(grant("old", 5));
  await call(companies.list, {});
  expect(refreshes()).toBe(1);
});

test("requests a token only once when signed out", async () => {
  const refreshes = serve(null);
  expect(
    (await callEightTimes()).every((result) => result.status === "rejected" && result.reason.code === "core.signedOut"),
  ).toBe(true);
  await callEightTimes();
  expect(refreshes()).toBe(1);
});

test("ignores a refresh that was started before the sign-out", async () => {
  serve("good");
  const pending = call(companies.list, {});
  clearToken();
  await expect(pending).rejects.toMatchObject({ status: 401 });
});

test("reports a missing response as core.network", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  await expect(call(companies.list, {})).rejects.toMatchObject({ status: 0, code: "core.network" });
});
