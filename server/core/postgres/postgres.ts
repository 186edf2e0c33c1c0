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
import type { Connection } from "#server/core/database/connection.ts";
import type { Log } from "#server/core/log.ts";
import {
  type Account,
  chooseAccount,
  findBinaries,
  reachableBinaries,
  socketFolder,
  Unsupported,
} from "#server/core/postgres/postgresFiles.ts";
import { settingsFor, usableMemory } from "#server/core/postgres/postgresSettings.ts";

/** A running embedded PostgreSQL. `adopted`: it was already running. `pid` changes after a restart. */
export type Embedded = {
  connection: Extract<Connection, { host: string }>;
  adopted: boolean;
  pid: () => number;
  stop: () => Promise<void>;
};

const WINDOWS = process.platform === "win32";
/**
 * Starts the PostgreSQL of the npm package on `DATA_DIR/postgres`, or adopts the one that a killed server left running.
 * It listens on a socket in a private folder (Windows: a free port on loopback), always with a password, and is
 * restarted when it ends. It is sized to the machine; `adjusted` are settings of the operator. Rejects with
 * `Unsupported` if it cannot run here.
 */
export async function startPostgres(
  dataDir: string,
  log: Log,
  adjusted: Record<string, string> = {},
): Promise<Embedded> {
  const settings = { ...settingsFor(usableMemory()), ...adjusted };
  const folder = join(dataDir, "postgres");
  const account = chooseAccount();
  const native = reachableBinaries(findBinaries(), account);
  const password = readOrCreatePassword(join(dataDir, "postgres.password"));
  if (!existsSync(join(folder, "PG_VERSION"))) initialise(native, folder, account, password);

  const adopted = await adopt(folder, password);
  let server = adopted ?? (await launch(native, folder, account, password, settings, log));
  const stopping = new AbortController();

  const watch = async () => {
    while (!stopping.signal.aborted) {
      await server.ended();
      if (stopping.signal.aborted) return;
      log.error("the embedded PostgreSQL ended; starting it again");
      await relaunch();
    }
  };
  /** Retries until it succeeds, because the cause may pass: a full disk, for example. */
  const relaunch = async () => {
    while (!stopping.signal.aborted)
      try {
        server = await launch(native, folder, account, password, settings, log, server.connection);
        return;
      } catch (error) {
        log.fatal({ err: error }, "the embedded PostgreSQL does not start; tried again");
        await sleep(5000);
      }
  };
  void watch();

  return {
    get connection() {
      return server.connection;
    },
    adopted: adopted !== null,
    pid: () => server.pid,
    stop: async () => {
      stopping.abort();
      kill(server.pid, "SIGINT");
      const killTimer = setTimeout(() => kill(server.pid, "SIGQUIT"), 15_000);
      await server.ended();
      clearTimeout(killTimer);
    },
  };
}

export type Running = { connection: Embedded["connection"]; pid: number; ended: () => Promise<unknown> };

export function readOrCreatePassword(file: string) {
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString("base64url"), { mode: 0o600, flag: "wx" });
  return readFileSync(file, "utf8").trim();
}

/**
 * The path by which `account` can use the data folder, even below a folder that the account cannot enter: on Linux the
 * data folder is the working directory of the process and is addressed as such.
 */
const pathFor = (folder: string, account: Account) =>
  account && process.platform === "linux" ? "/proc/self/cwd" : folder;

function initialise(native: string, folder: string, account: Account, password: string) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  if (account) chownSync(folder, account.uid, account.gid);
  // The account may not be able to enter DATA_DIR, so the password reaches initdb through the socket folder.
  const passwordFile = join(socketFolder(folder, account), "initial");
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (account) chownSync(passwordFile, account.uid, account.gid);
  const locale = WINDOWS ? ["--no-locale"] : ["--locale=C", "--locale-provider=icu", "--icu-locale=und"];
  const options = [
    "-D",
    pathFor(folder, account),
    "-U",
    "lyceum",
    "--encoding=UTF8",
    "--auth=scram-sha-256",
    `--pwfile=${passwordFile}`,
    ...locale,
  ];
  const result = spawnSync(join(native, "bin/initdb"), options, { cwd: folder, encoding: "utf8", ...account });
  rmSync(passwordFile, { force: true });
  if (result.status === 0) return;
  rmSync(folder, { recursive: true, force: true });
  throw new Unsupported(`initdb failed.\n${result.error?.message ?? ""}${result.stderr ?? ""}`.trim());
}

async function launch(
  native: string,
  folder: string,
  account: Account,
  password: string,
  settings: Record<string, string | number>,
  log: Log,
  previous?: Running["connection"],
): Promise<Running> {
  const host = WINDOWS ? "127.0.0.1" : (previous?.host ?? socketFolder(folder, account));
  const port = previous?.port ?? (WINDOWS ? await freePort() : 5432);
  const connection = { host, port, user: "lyceum", password, database: "postgres" };
  const listener = WINDOWS ? { listen_addresses: host } : { listen_addresses: "", unix_socket_directories: host };
  const options = Object.entries({ ...settings, ...listener, port }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  let reason = "";
  for (let attempt = 0; attempt < 20; attempt++) {
    const output = openSync(join(folder, "../postgres.log"), "a", 0o600);
    const child = spawn(join(native, "bin/postgres"), ["-D", pathFor(folder, account), ...options], {
      cwd: folder,
      detached: true,
      stdio: ["ignore", output, output],
      ...account,
    });
    closeSync(output);
    const exit = exitOf(child);
    const failure = await Promise.race([exit, waitForAnswer(connection)]);
    if (failure === null) {
      child.unref();
      return { connection, pid: child.pid as number, ended: () => exit };
    }
    reason = failure;
    log.warn({ attempt, reason }, "the embedded PostgreSQL did not start");
    await sleep(250 * Math.min(attempt + 1, 8));
  }
  throw new Error(`The built-in PostgreSQL does not start (${reason}); its log is ${join(folder, "../postgres.log")}.`);
}

/** Resolves with the reason when the process has ended or could not be started. */
const exitOf = (child: ChildProcess) =>
  new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(`it ended with ${signal ?? `code ${code}`}`));
  });

/** Resolves with null as soon as the server answers, or after `timeoutMs` with the reason why it does not. */
async function waitForAnswer(connection: Embedded["connection"], timeoutMs = 60_000): Promise<string | null> {
  let last = "";
  for (const until = Date.now() + timeoutMs; Date.now() < until; await sleep(40)) {
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

/**
 * The PostgreSQL that a killed server left running on this folder, or null. Removes a stale pid file; stops one that
 * does not answer.
 */
export async function adopt(folder: string, password: string): Promise<Running | null> {
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
  const ended = async () => {
    while (isPostgres(pid)) await sleep(200);
    return "ended";
  };
  const failure = await Promise.race([ended(), waitForAnswer(connection, 20_000)]);
  if (failure === null) return { connection, pid, ended };
  if (failure !== "ended") {
    kill(pid, "SIGQUIT");
    await ended();
  }
  return null;
}

/** True if a process with this id runs and is a PostgreSQL (on Windows: any process). */
function isPostgres(pid: number) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  if (WINDOWS) return true;
  const ps = spawnSync("ps", ["-o", "comm=", "-p", String(pid)], { encoding: "utf8" });
  if (!ps.error) return /postgres/.test(ps.stdout);
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").startsWith("postgres");
  } catch {
    return false;
  }
}

export function kill(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has already ended.
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
