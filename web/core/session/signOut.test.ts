import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { endSession, setGrant, usableToken } from "#web/core/session/token.ts";
import type { User } from "#shared/core/users.ts";

const grant = {
  user: { id: "1" } as unknown as User,
  token: "a token",
  expiresAt: new Date(Date.now() + 600_000).toISOString(),
};

/** A browser with a refresh cookie, whose connection can be switched off. */
function browse() {
  const state = { online: true, cookie: true };
  const stored = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
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
  setGrant(grant);
});
afterEach(() => vi.unstubAllGlobals());

test("completes an offline sign-out before the next token request", async () => {
  state.online = false;
  await endSession();
  await expect(usableToken()).rejects.toMatchObject({ status: 0 });
  state.online = true;
  expect([await usableToken(), state.cookie]).toEqual([null, false]);
});

test("drops a pending sign-out after a new sign-in", async () => {
  state.online = false;
  await endSession();
  state.online = true;
  setGrant(grant);
  expect([await usableToken(), state.cookie]).toEqual(["a token", true]);
  setGrant(null);
  expect([await usableToken(), state.cookie]).toEqual(["a token", true]);
});
