import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { createApp } from "#server/app.ts";
import { allJobs } from "#server/endpoints.ts";
import { ensureAdmin } from "#server/auth/admins/firstAdmin.ts";
import { createBetterAuth } from "#server/auth/betterAuth.ts";
import { readConfig } from "#server/core/config.ts";
import { onPool } from "#server/core/database/pools.ts";
import { startJobs } from "#server/core/jobs.ts";
import { createLog } from "#server/core/log.ts";
import { checkOrigins } from "#server/core/http/origins.ts";
import * as domains from "#server/domains.ts";
import { ensureFree, listen, openServices } from "#server/core/http/server.ts";
import type { Services } from "#server/core/services.ts";
import { guardProcess, stopAll } from "#server/core/shutdown.ts";
import { confirmsClaims } from "#server/mails/mailServer.ts";
import { createCommitter } from "#server/player/commit.ts";
import { startCompletionReactions } from "#server/player/completionReactions.ts";
import { createContentApp } from "#server/player/contentApp.ts";
import { adoptMovedValues } from "#server/variables/fold/recount.ts";
import { takeOver } from "#server/takeOver.ts";
import { createValueWork } from "#server/flows/worker.ts";

try {
  await start();
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n\n`);
  process.exit(1);
}

async function start() {
  const startedAt = performance.now();
  const config = readConfig();
  const log = createLog(config.logLevel);
  for (const warning of checkOrigins(config)) log.warn(warning);
  await Promise.all([ensureFree(config.port), ensureFree(config.contentPort)]);
  const demoMarker = join(config.dataDir, "demo");
  // Exists while the demo data are written. After a crash meanwhile, the next start deletes them and begins again.
  const unfinishedDemoMarker = join(config.dataDir, "demo.unfinished");
  const startsAfresh = config.databaseUrl === undefined && existsSync(unfinishedDemoMarker);
  const { services, isNew, close } = await openServices(config, log, { startsAfresh });
  void warnOfStorage(services);
  const notes: string[] = [];
  if (config.demo && isNew) {
    const { fillDemo } = await import("#server/demo/demo.ts");
    await writeFile(unfinishedDemoMarker, "");
    notes.push(...(await fillDemo(services)));
    await writeFile(demoMarker, "");
    await rm(unfinishedDemoMarker);
  }
  notes.push(...(await ensureAdmin(services)));

  if (!(await confirmsClaims(services)))
    log.warn(
      "Anyone who knows the email address of an invited person can claim the account, " +
        "because addresses are not verified. Set up a mail server: docs/operations.md, Logging in.",
    );

  if (config.databaseUrl === undefined) await takeOver(services);
  const library = createBetterAuth(services);
  if (await adoptMovedValues(services.db)) log.info("the values of variables come from another database server");
  const valueWork = createValueWork(onPool(services, "jobs"));
  valueWork.request();
  const following = await startCompletionReactions(onPool(services, "jobs"), Object.values(domains));
  const commit = createCommitter(services, valueWork.request, following.reactions);
  const app = await createApp(services, library, commit);
  const content = await createContentApp(services, commit);
  const jobs = await startJobs(services, allJobs);
  // The passwords of the demo people are printed, so a server with demo data listens on loopback only, unless HOST is
  // set.
  const hasDemo = existsSync(demoMarker);
  // The content origin first: a course that is opened at once would otherwise stay an empty frame.
  await listen(content, config.host, config.contentPort, hasDemo);
  await listen(app, config.host, config.port, hasDemo);
  process.stdout.write(welcome(config.publicUrl, notes, Math.round(performance.now() - startedAt)));

  guardProcess(log, () =>
    stopAll(
      [
        { name: "requests", stop: () => closeServers([app, content]), ms: 6000 },
        { name: "jobs", stop: () => jobs.stop(), ms: 6000 },
        { name: "values", stop: () => valueWork.stop(), ms: 3000 },
        { name: "completions", stop: () => following.stop(), ms: 3000 },
        { name: "logins", stop: () => library.end(), ms: 1000 },
        { name: "database", stop: close, ms: 20_000 },
      ],
      log,
    ),
  );
  // Tells `npm start` that the server has started: it is then started again if it dies.
  process.send?.("ready");
}

/** The server starts without its storage, because a bucket may be available later; the log says what is missing. */
async function warnOfStorage({ storage, config, log }: Services) {
  try {
    await storage.check();
  } catch (error) {
    const name = config.storageUrl ? "STORAGE_URL" : "DATA_DIR";
    const reason = (error as Error).message;
    log.error(`Files can neither be stored nor read: ${reason}. Check ${name}: docs/operations.md, Health.`);
  }
}

/** Running requests get 3 s; then their connections are closed. The player sends unacknowledged events again. */
async function closeServers(servers: FastifyInstance[]) {
  const closeTimer = setTimeout(() => servers.forEach(({ server }) => server.closeAllConnections()), 3000);
  await Promise.all(servers.map((server) => server.close()));
  clearTimeout(closeTimer);
}

function welcome(address: string, notes: string[], ms: number) {
  return [
    "",
    `  Lyceum is ready after ${(ms / 1000).toFixed(1)} s`,
    "",
    `  ${address}`,
    ...(notes.length > 0 ? ["", ...notes.map((note) => `  ${note}`)] : []),
    "",
    "",
  ].join("\n");
}
