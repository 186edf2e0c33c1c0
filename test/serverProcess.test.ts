import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { createServer, connect, type AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { expect, inject, test } from "vitest";
import { z } from "zod";
import { job, startJobs } from "#server/core/jobs.ts";
import { auth } from "#shared/auth/auth.ts";
import { learners } from "#shared/learners/learners.ts";
import { createClient } from "#test/client.ts";
import { ADMIN, createProcess, freePort } from "#test/process.ts";
import { start } from "#test/start.ts";

// What ends the process of the server, and what does not

test("SIGTERM ends a server whose requests and jobs wait for a lock forever", { timeout: 90_000 }, async () => {
  const server = await createProcess();
  await server.start();
  const client = createClient(server.url);
  client.useToken((await client.call(auth.signIn, { body: ADMIN })).token);
  const blocker = new pg.Client(server.connection());
  blocker.on("error", () => {});
  await blocker.connect();
  await blocker.query("begin; lock table users in access exclusive mode");
  const waiting = Array.from({ length: 5 }, () => client.call(learners.list, { query: {} }).catch(() => "cut"));
  await server.query("select graphile_worker.add_job('catalogue:check', '{}')");
  const countWaiting = async () => {
    const { rows } = await blocker.query<{ jobs: number; all: number }>(
      `select count(*)::int as all, count(*) filter (where query !~ '"users"."id"')::int as jobs
      from pg_stat_activity
      where wait_event_type = 'Lock'`,
    );
    return { hasJob: (rows[0]?.jobs ?? 0) > 0, hasRequest: (rows[0]?.all ?? 0) > 1 };
  };
  await expect.poll(countWaiting, { timeout: 20_000 }).toEqual({ hasJob: true, hasRequest: true });
  await server.stop();
  expect(existsSync(join(server.dataDir, "postgres/postmaster.pid"))).toBe(false);
  await Promise.all(waiting);
  // Both processes have ended: the data folder is free for the next start.
  await server.start();
  await server.remove();
  await blocker.end().catch(() => {});
});

test("rejections and lost connections end nothing, a bug ends the server in order", { timeout: 90_000 }, async () => {
  const preload = `--import ${join(import.meta.dirname, "failingPreload.ts")}`;
  const server = await createProcess({ NODE_OPTIONS: preload, FAILURES: "rejection,connection,bug" });
  await server.start();
  for (const said of ["nobody handles this", "read ECONNRESET"]) {
    process.kill(server.pid(), "SIGUSR2");
    await expect.poll(() => server.output(), { timeout: 20_000 }).toContain(said);
    expect((await fetch(`${server.url}/api/health`)).status).toBe(200);
  }
  process.kill(server.pid(), "SIGUSR2");
  expect(await server.ended()).toBe(1);
  expect(server.output()).toContain("a bug");
  await server.remove();
});

test("the start waits for its database, and says so", { timeout: 120_000 }, async () => {
  const postgres = inject("postgres");
  const database = `test_${randomUUID().replaceAll("-", "")}`;
  const admin = new pg.Client(postgres);
  await admin.connect();
  await admin.query(`create database ${database} template template_lyceum strategy file_copy`);
  const port = await freePort();
  const { user, password } = postgres;
  const server = await createProcess({ DATABASE_URL: `postgres://${user}:${password}@127.0.0.1:${port}/${database}` });
  const starting = server.start();
  await expect
    .poll(() => server.output(), { timeout: 60_000 })
    .toMatch(/ECONNREFUSED.*waiting for the database of DATABASE_URL/);
  const target = `${postgres.host}/.s.PGSQL.${postgres.port}`;
  const proxy = createServer((socket) => {
    const other = connect(target);
    for (const [from, to] of [
      [socket, other],
      [other, socket],
    ] as const)
      from.on("error", () => to.destroy()).pipe(to);
  });
  await new Promise<void>((resolve) => proxy.listen(port, "127.0.0.1", resolve));
  expect((proxy.address() as AddressInfo).port).toBe(port);
  await starting;
  await server.stop();
  await server.remove();
  proxy.close();
  await admin.query(`drop database ${database} with (force)`);
  await admin.end();
});

test("a database that refuses the login ends the start at once and is named", async () => {
  const { port } = await listenAsDatabase("28P01", "password authentication failed");
  const server = await createProcess({ DATABASE_URL: `postgres://x:y@127.0.0.1:${port}/z` });
  await expect(server.start()).rejects.toThrow(/database of DATABASE_URL cannot be used: password authentication/);
  await server.remove();
});

/** A server that answers each connection with an error of PostgreSQL (protocol 3.0: ErrorResponse). */
async function listenAsDatabase(code: string, message: string) {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5, "E");
  head.writeInt32BE(fields.length + 4, 1);
  const server = createServer((socket) =>
    socket.on("error", () => {}).once("data", () => socket.end(Buffer.concat([head, fields]))),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return { port: (server.address() as AddressInfo).port };
}

test("jobs go on after the runner has ended", { timeout: 120_000 }, async () => {
  const { services, db } = await start();
  let runs = 0;
  const count = job("test:count", z.object({}), async () => void runs++);
  const jobs = await startJobs({ ...services, log: services.log.child({}, { level: "silent" }) }, [count]);
  await count.enqueue(db, {});
  await expect.poll(() => runs, { timeout: 20_000 }).toBe(1);
  await services.pool.query("alter table graphile_worker._private_jobs rename to hidden");
  // A runner gives up after ten failed looks for jobs.
  await sleep(25_000);
  await services.pool.query("alter table graphile_worker.hidden rename to _private_jobs");
  await count.enqueue(db, {});
  await expect.poll(() => runs, { timeout: 60_000 }).toBe(2);
  await jobs.stop();
});
