import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { endSession, holdToken, usableToken } from "#web/core/session/token.ts";
import type { User } from "#shared/users.ts";

const grant = {
  user: { id: "1" } as unknown as User,
  token: "a token",
  expiresAt: new Date(Date.now() + 600_000).toISOString(),
};

/** A browser with its refresh cookie, and a connection that comes and goes. */
function browse() {
  const state = { online: true, cookie: true };
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  vi.stubGlobal("fetch", async (address: string) => {
    if (!state.online) throw new TypeError("Failed to fetch");
    if (address === "/api/auth/sign-out") state.cookie = false;
    if (address === "/api/auth/token" && state.cookie) return new Response(JSON.stringify(grant), { status: 200 });
    return new Response(null, { status: 204 });
  });
  return state;
}

let state: ReturnType<typeof browse>;
beforeEach(() => {
  state = browse();
  holdToken(grant);
});
afterEach(() => vi.unstubAllGlobals());

test("logging out without a connection is made up for before anything else, so that nobody is back by opening the page again", async () => {
  state.online = false;
  await endSession();
  await expect(usableToken()).rejects.toMatchObject({ status: 0 });
  state.online = true;
  expect([await usableToken(), state.cookie]).toEqual([null, false]);
});

test("who logs in again in the meantime stays logged in", async () => {
  state.online = false;
  await endSession();
  state.online = true;
  holdToken(grant);
  expect([await usableToken(), state.cookie]).toEqual(["a token", true]);
  holdToken(null);
  expect([await usableToken(), state.cookie]).toEqual(["a token", true]);
});
