import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { call } from "#web/core/api/api.ts";
import { dropToken, holdToken } from "#web/core/session/token.ts";
import { companies } from "#shared/companies.ts";
import type { User } from "#shared/users.ts";

const user = { id: "1", email: "a@b.io", role: "admin" } as unknown as User;
const grant = (token: string, seconds = 600) => ({
  user,
  token,
  expiresAt: new Date(Date.now() + seconds * 1000).toISOString(),
});
const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });

/** A server that accepts one token; `/api/auth/token` hands it out. */
function serve(accepted: string | null) {
  const seen: string[] = [];
  vi.stubGlobal("fetch", async (address: string, { headers }: { headers: Record<string, string> }) => {
    seen.push(address);
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (address === "/api/auth/token")
      return accepted ? json(200, grant(accepted)) : json(401, { code: "core.signedOut", error: "Sign in to go on." });
    const fine = accepted && headers.authorization === `Bearer ${accepted}`;
    return fine
      ? json(200, { items: [], total: 0 })
      : json(401, { code: "core.signedOut", error: "Sign in to go on." });
  });
  return () => seen.filter((address) => address === "/api/auth/token").length;
}

beforeEach(() => {
  dropToken();
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => {}, removeItem: () => {} });
});
afterEach(() => vi.unstubAllGlobals());

const many = () => Promise.allSettled(Array.from({ length: 8 }, () => call(companies.list, {})));

test("callers without a token share one refresh", async () => {
  const refreshes = serve("good");
  expect((await many()).every(({ status }) => status === "fulfilled")).toBe(true);
  expect(refreshes()).toBe(1);
});

test("callers whose token was refused share one refresh and try once more", async () => {
  const refreshes = serve("good");
  holdToken(grant("revoked"));
  expect((await many()).every(({ status }) => status === "fulfilled")).toBe(true);
  expect(refreshes()).toBe(1);
});

test("a token about to end is renewed before it is used", async () => {
  const refreshes = serve("good");
  holdToken(grant("old", 5));
  await call(companies.list, {});
  expect(refreshes()).toBe(1);
});

test("signed-out people ask for a token once and get the 401", async () => {
  const refreshes = serve(null);
  expect((await many()).every((one) => one.status === "rejected" && one.reason.code === "core.signedOut")).toBe(true);
  await many();
  expect(refreshes()).toBe(1);
});

test("a refresh that was asked for before the sign-out gives nobody a token", async () => {
  serve("good");
  const asked = call(companies.list, {});
  dropToken();
  await expect(asked).rejects.toMatchObject({ status: 401 });
});

test("no answer becomes core.network", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  await expect(call(companies.list, {})).rejects.toMatchObject({ status: 0, code: "core.network" });
});
