import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createAdmin } from "#server/auth/admins/firstAdmin.ts";
import { auth } from "#shared/auth/auth.ts";
import { start } from "#test/start.ts";
import { PASSWORD as password } from "#test/password.ts";

const { app, services } = await start({
  PUBLIC_URL: "https://academy.example",
  CONTENT_ORIGIN: "https://play.academy.example",
});
const email = `admin-${randomUUID()}@example.com`;
await createAdmin(services, { email, name: "Ada Admin", password });

test("uses __Host- cookies over HTTPS", async () => {
  const reply = await app.inject({ method: "POST", url: auth.signIn.path, payload: { email, password } });
  const lines = [reply.headers["set-cookie"]].flat().map(String);
  expect(lines).toHaveLength(3);
  for (const line of lines)
    expect(line).toMatch(
      /^__Host-lyceum\.(?=.*; Path=\/)(?=.*; HttpOnly)(?=.*; Secure)(?=.*; SameSite=Lax)(?!.*Domain)/,
    );
  const session = lines.find((line) => line.includes("session_token"))?.split(";")[0] as string;
  expect(
    (await app.inject({ method: "POST", url: auth.token.path, headers: { cookie: session } })).json().user.email,
  ).toBe(email);
  // A cookie that a course on a sibling host could set
  expect(
    (
      await app.inject({
        method: "POST",
        url: auth.token.path,
        headers: { cookie: session.replace("__Host-", "__Secure-") },
      })
    ).statusCode,
  ).not.toBe(200);
  const out = await app.inject({ method: "POST", url: auth.signOut.path, headers: { cookie: session } });
  expect(String(out.headers["set-cookie"])).toMatch(/__Host-lyceum\.session_token=; Max-Age=0/);
  expect((await app.inject({ method: "POST", url: auth.token.path, headers: { cookie: session } })).statusCode).toBe(
    401,
  );
});

test("sends HSTS and nosniff on pages, replies and errors over HTTPS", async () => {
  for (const url of ["/", "/api/events", "/api/learners", "/nowhere"]) {
    expect((await app.inject(url)).headers).toMatchObject({
      "strict-transport-security": "max-age=31536000",
      "x-content-type-options": "nosniff",
    });
  }
});
