import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Connection } from "#server/core/db.ts";
import type { Log } from "#server/core/log.ts";
import {
  type Account,
  chooseAccount,
  findBinaries,
  reachableBinaries,
  socketFolder,
  Unsupported,
} from "#server/core/postgresFiles.ts";

/** The embedded server: where it listens, whether it ran already, and how to end it. */
export type Embedded = {
  connection: Extract<Connection, { host: string }>;
  adopted: boolean;
  pid: () => number;
  stop: () => Promise<void>;
};

const WINDOWS = process.platform === "win32";
const settings = {
  max_connections: 60,
  shared_buffers: "128MB",
  max_wal_size: "1GB",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  log_min_messages: "warning",
  unix_socket_permissions: "0700",
  client_connection_check_interval: "5s",
};

/**
 * Starts the PostgreSQL that comes with the npm package on `DATA_DIR/postgres`, or adopts the one that a killed server
 * left behind. Listens on a socket in a closed folder (Windows: a free port on loopback), always with a password.
 * Restarts it when it dies. Rejects with `Unsupported` where it cannot run.
 */
export async function startPostgres(dataDir: string, log: Log): Promise<Embedded> {
  const folder = join(dataDir, "postgres");
  const account = chooseAccount();
  const native = reachableBinaries(findBinaries(), account);
  const password = keepPassword(join(dataDir, "postgres.password"));
  if (!existsSync(join(folder, "PG_VERSION"))) initialise(native, folder, account, password);

  const left = await leftOver(folder, password);
  let server = left ?? (await launch(native, folder, account, password, log));
  let stopping = false;

  const watch = async () => {
    while (!stopping) {
      await server.gone();
      if (stopping) return;
      log.error("the embedded PostgreSQL ended; starting it again");
      server = await launch(native, folder, account, password, log, server.connection);
    }
  };
  watch().catch((error: unknown) => log.fatal({ err: error }, "the embedded PostgreSQL does not start any more"));

  return {
    get connection() {
      return server.connection;
    },
    adopted: left !== null,
    pid: () => server.pid,
    stop: async () => {
      stopping = true;
      kill(server.pid, "SIGINT");
      const patience = setTimeout(() => kill(server.pid, "SIGQUIT"), 15_000);
      await server.gone();
      clearTimeout(patience);
    },
  };
}

type Running = { connection: Embedded["connection"]; pid: number; gone: () => Promise<unknown> };

function keepPassword(file: string) {
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString("base64url"), { mode: 0o600, flag: "wx" });
  return readFileSync(file, "utf8").trim();
}

/**
 * The data folder as `account` sees it. It may lie below a folder that the account cannot enter; its own working
 * directory it can always use, so Linux gets the folder as working directory and that name for it.
 */
const asSeen = (folder: string, account: Account) =>
  account && process.platform === "linux" ? "/proc/self/cwd" : folder;

function initialise(native: string, folder: string, account: Account, password: string) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  if (account) chownSync(folder, account.uid, account.gid);
  // The account may not be able to enter DATA_DIR, so the password reaches initdb through the socket folder.
  const secret = join(socketFolder(folder, account), "initial");
  writeFileSync(secret, password, { mode: 0o600 });
  if (account) chownSync(secret, account.uid, account.gid);
  const locale = WINDOWS ? ["--no-locale"] : ["--locale=C", "--locale-provider=icu", "--icu-locale=und"];
  const options = [
    "-D",
    asSeen(folder, account),
    "-U",
    "lyceum",
    "--encoding=UTF8",
    "--auth=scram-sha-256",
    `--pwfile=${secret}`,
    ...locale,
  ];
  const made = spawnSync(join(native, "bin/initdb"), options, { cwd: folder, encoding: "utf8", ...account });
  rmSync(secret, { force: true });
  if (made.status === 0) return;
  rmSync(folder, { recursive: true, force: true });
  throw new Unsupported(`initdb failed.\n${made.error?.message ?? ""}${made.stderr ?? ""}`.trim());
}

async function launch(
  native: string,
  folder: string,
  account: Account,
  password: string,
  log: Log,
  before?: Running["connection"],
): Promise<Running> {
  const host = WINDOWS ? "127.0.0.1" : (before?.host ?? socketFolder(folder, account));
  const port = before?.port ?? (WINDOWS ? await freePort() : 5432);
  const connection = { host, port, user: "lyceum", password, database: "postgres" };
  const place = WINDOWS ? { listen_addresses: host } : { listen_addresses: "", unix_socket_directories: host };
  const options = Object.entries({ ...settings, ...place, port }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  let reason = "";
  for (let attempt = 0; attempt < 20; attempt++) {
    const output = openSync(join(folder, "../postgres.log"), "a", 0o600);
    const child = spawn(join(native, "bin/postgres"), ["-D", asSeen(folder, account), ...options], {
      cwd: folder,
      detached: true,
      stdio: ["ignore", output, output],
      ...account,
    });
    closeSync(output);
    const gone = ended(child);
    const failed = await Promise.race([gone, answers(connection)]);
    if (failed === null) {
      child.unref();
      return { connection, pid: child.pid as number, gone: () => gone };
    }
    reason = failed;
    log.warn({ attempt, reason }, "the embedded PostgreSQL did not start");
    await sleep(250 * Math.min(attempt + 1, 8));
  }
  throw new Error(`The built-in PostgreSQL does not start (${reason}); its log is ${join(folder, "../postgres.log")}.`);
}

const ended = (child: ChildProcess) =>
  new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(`it ended with ${signal ?? `code ${code}`}`));
  });

/** Null as soon as the server answers, a sentence when it has not within a minute. */
async function answers(connection: Embedded["connection"], within = 60_000): Promise<string | null> {
  let last = "";
  for (const until = Date.now() + within; Date.now() < until; await sleep(40)) {
    const client = new pg.Client({ ...connection, connectionTimeoutMillis: 2000 });
    client.on("error", () => {});
    try {
      await client.connect();
      await client.end();
      return null;
    } catch (error) {
      last = (error as Error).message;
    }
  }
  return `it does not answer: ${last}`;
}

/** The postmaster that a killed server left on this folder, once it answers; a stale pid file of another process is removed. */
async function leftOver(folder: string, password: string): Promise<Running | null> {
  const file = join(folder, "postmaster.pid");
  if (!existsSync(file)) return null;
  const [pidLine = "", , , port = "", socket = ""] = readFileSync(file, "utf8").split("\n");
  const pid = Number.parseInt(pidLine, 10);
  if (!isPostgres(pid)) {
    rmSync(file, { force: true });
    return null;
  }
  const connection = {
    host: WINDOWS ? "127.0.0.1" : socket,
    port: Number(port),
    user: "lyceum",
    password,
    database: "postgres",
  };
  const gone = async () => {
    while (isPostgres(pid)) await sleep(200);
    return "ended";
  };
  const failed = await Promise.race([gone(), answers(connection, 20_000)]);
  if (failed === null) return { connection, pid, gone };
  if (failed !== "ended") {
    kill(pid, "SIGQUIT");
    await gone();
  }
  return null;
}

function isPostgres(pid: number) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  if (WINDOWS) return true;
  const found = spawnSync("ps", ["-o", "comm=", "-p", String(pid)], { encoding: "utf8" });
  if (!found.error) return /postgres/.test(found.stdout);
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").startsWith("postgres");
  } catch {
    return false;
  }
}

function kill(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone already.
  }
}

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
