import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { listContracts } from "#server/endpoints.ts";
import { closeSilentSessions } from "#server/player/jobs.ts";
import { player, SESSION_HEADER } from "#shared/player/player.ts";
import { start } from "#test/start.ts";

const { app, as, make, db, services } = await start();

test("the health check reports database, jobs and storage", async () => {
  expect((await app.inject("/api/health")).json()).toEqual({
    status: "ok",
    process: "ok",
    database: "ok",
    migrations: "ok",
    jobs: "ok",
    storage: "ok",
    lastBackup: null,
  });
});

test("the OpenAPI document contains every contract and is displayed at /api/docs", async () => {
  const { paths, openapi } = (await app.inject("/api/openapi.json")).json();
  expect(openapi).toBe("3.1.0");
  for (const { path, method } of listContracts())
    expect(paths[path.replace(/:(\w+)/g, "{$1}")]).toHaveProperty(method.toLowerCase());
  expect((await app.inject("/api/docs/")).statusCode).toBe(200);
});

test("unknown API paths are a JSON 404, other paths the application", async () => {
  expect((await app.inject("/api/nothing")).json()).toMatchObject({ code: "core.notFound" });
  const page = await app.inject({ url: "/anything", headers: { host: "localhost" } });
  expect(page.headers["content-type"]).toMatch(/text\/html/);
  expect(page.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  const named = await app.inject({ url: "/index.html", headers: { host: "localhost" } });
  expect(named.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  const moved = await app.inject({ url: "/login?x=1", headers: { host: "127.0.0.1:1" } });
  expect([moved.statusCode, moved.headers.location]).toEqual([307, "http://localhost:1/login?x=1"]);
});

test("rejects a body that is not JSON with 400, and one that is too large with 413", async () => {
  const send = (payload: string) =>
    app.inject({ method: "POST", url: "/api/auth/sign-in", headers: { "content-type": "application/json" }, payload });
  expect((await send("{nope")).statusCode).toBe(400);
  expect((await send(JSON.stringify({ email: "x".repeat(5_000_000) }))).statusCode).toBe(413);
});

test("a session without commits is closed as of its last one, until the next", async () => {
  const { learner, company, course } = await make.classroom();
  const session = await make.launch(learner, company.id, course.id);
  const send = (seq: number) =>
    as(null, { [SESSION_HEADER]: session.token })(player.commit, {
      params: { id: session.sessionId },
      body: { events: [{ seq, t: seq, type: "nav", sco: "i1" }] },
    });
  await send(1);
  await db
    .updateTable("sessions")
    .set({ lastSeenAt: sql`now() - interval '10 minutes'` })
    .where("id", "=", session.sessionId)
    .execute();
  await closeSilentSessions.work(services, {});
  const row = () =>
    db
      .selectFrom("sessions")
      .where("id", "=", session.sessionId)
      .select(["endedAt", "endReason", "lastSeenAt"])
      .executeTakeFirstOrThrow();
  const closed = await row();
  expect(closed.endReason).toBe("timeout");
  expect(closed.endedAt).toBe(closed.lastSeenAt);
  expect((await send(2)).body).toMatchObject({ session: "live", ackSeq: 2 });
  expect(await row()).toMatchObject({ endedAt: null, endReason: null });
});

test("parallel launches and commits leave one live session", async () => {
  const { learner, company, course } = await make.classroom();
  const launches = await Promise.all(
    Array.from({ length: 10 }, () =>
      make.launch(learner, company.id, course.id, { takeOver: true, clientId: randomUUID() }),
    ),
  );
  await Promise.all(
    launches.flatMap((session) =>
      [1, 2, 3].map((seq) =>
        as(null, { [SESSION_HEADER]: session.token })(player.commit, {
          params: { id: session.sessionId },
          body: {
            events: Array.from({ length: seq }, (_, n) => ({ seq: n + 1, t: n, type: "nav" as const, sco: "i1" })),
          },
        }),
      ),
    ),
  );
  const live = await db
    .selectFrom("sessions")
    .where("userId", "=", learner.user.id)
    .where("endedAt", "is", null)
    .select("id")
    .execute();
  expect(live).toHaveLength(1);
});
