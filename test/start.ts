import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, inject, onTestFinished } from "vitest";
import { createApp } from "#server/app.ts";
import { allJobs } from "#server/endpoints.ts";
import { createBetterAuth } from "#server/auth/betterAuth.ts";
import { readConfig } from "#server/core/config.ts";
import { createPool } from "#server/core/database/db.ts";
import { refuseNestedWork } from "#server/core/database/transactionScope.ts";
import { prepareJobs, startJobs } from "#server/core/jobs.ts";
import { createLog } from "#server/core/log.ts";
import { endPools, onPool } from "#server/core/database/pools.ts";
import { createServices, type Services } from "#server/core/services.ts";
import * as domains from "#server/domains.ts";
import { createCommitter } from "#server/player/commit.ts";
import { createValueWork } from "#server/flows/worker.ts";
import { startCompletionReactions } from "#server/player/completionReactions.ts";
import { createContentApp } from "#server/player/contentApp.ts";
import type { Contract, Reply, Sent } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import { createMaker } from "#test/make.ts";

export type Answered<C extends Contract> = {
  status: number;
  body: Reply<C>;
  code: string | undefined;
  headers: Record<string, unknown>;
};
export type Caller = <C extends Contract>(
  contract: C,
  ...sent: object extends Sent<C> ? [Sent<C>?] : [Sent<C>]
) => Promise<Answered<C>>;
/** Somebody who signed in with an email address. */
export type Person = { user: User & { email: string }; password: string; token: string };

refuseNestedWork();

/**
 * A whole server on an empty database of its own. Calls go through HTTP handling, policies and schemas; nothing is
 * mocked. `logged` is called with every line of the log.
 */
export async function start(env: Record<string, string> = {}, logged?: (line: string) => void) {
  let stop = async () => {};
  endLater(() => stop());
  const log = logged ? createLog("trace", { write: logged }) : createLog("error");
  const postgres = inject("postgres");
  const database = `test_${randomUUID().replaceAll("-", "")}`;
  const admin = createPool(postgres, log, { max: 1 });
  await admin.query(`create database ${database} template template_lyceum strategy file_copy`);
  const dataDir = mkdtempSync(join(tmpdir(), "lyceum-data-"));
  const config = readConfig({
    PORT: "1",
    CONTENT_PORT: "2",
    PUBLIC_URL: "http://localhost:1",
    CONTENT_ORIGIN: "http://127.0.0.1:2",
    DATA_DIR: dataDir,
    DEMO: "false",
    PRIVATE_HOSTS: "localhost,127.0.0.1",
    ...env,
  });
  const nodes: Awaited<ReturnType<typeof createNode>>[] = [];
  /** Another server on the same database and files, as behind a load balancer. */
  const startAnother = async () => {
    const node = await createNode(createServices(config, log, { ...postgres, database }, 8));
    nodes.push(node);
    return node;
  };
  const first = await startAnother();

  stop = async () => {
    for (const { app, content, library, services, folding, following } of nodes) {
      await Promise.all([app.close(), content.close()]);
      await folding.stop();
      await following.stop();
      await library.end();
      await endPools(services);
    }
    await admin.query(`drop database if exists ${database} with (force)`);
    await admin.end();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { ...first, startAnother };
}

/** A server that a test starts for itself ends with the test, any other with its file: a test ignores `afterAll`. */
function endLater(stop: () => Promise<void>) {
  try {
    onTestFinished(stop);
  } catch {
    afterAll(stop);
  }
}

async function createNode(services: Services) {
  await prepareJobs(services);
  const library = createBetterAuth(services);
  const folding = createValueWork(onPool(services, "jobs"));
  const following = await startCompletionReactions(onPool(services, "jobs"), Object.values(domains));
  const commit = createCommitter(services, folding.request, following.reactions);
  const app = await createApp(services, library, commit);
  const content = await createContentApp(services, commit);

  const as =
    (
      person: { token: string; user?: object; password?: string; expiresAt?: string } | null,
      extra: Record<string, string> = {},
    ): Caller =>
    async (contract, ...sent) => {
      const {
        params = {},
        query = {},
        body,
      } = (sent[0] ?? {}) as { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown };
      const search = new URLSearchParams(
        Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
      );
      const path = contract.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
      const reply = await app.inject({
        method: contract.method,
        url: search.size > 0 ? `${path}?${search}` : path,
        headers: { ...(person && { authorization: `Bearer ${person.token}` }), ...extra },
        ...(body !== undefined && { payload: body as object }),
      });
      const json = reply.body === "" ? undefined : reply.json();
      return { status: reply.statusCode, body: json, code: json?.code, headers: reply.headers };
    };
  const make = createMaker({ services, as });
  const runJobs = () => startJobs(services, allJobs);
  return { app, content, services, db: services.db, as, make, runJobs, library, folding, following };
}
