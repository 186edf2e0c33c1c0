import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { PASSWORD } from "#test/password.ts";

export const ADMIN = { email: "boss@example.com", password: PASSWORD };

/** A free port below the ephemeral range, which systems use for outgoing connections. */
export const freePort = () =>
  new Promise<number>((resolve) => {
    const port = 12_000 + Math.floor(Math.random() * 20_000);
    const probe = createServer().once("error", () => resolve(freePort()));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(port)));
  });

/** The data folder of a server that has started once: its database is migrated and has the first admin. */
const TEMPLATE = join(import.meta.dirname, "../test-results/template");

/** Makes the template that `createProcess` copies for `fromTemplate`. */
export async function createTemplate() {
  rmSync(TEMPLATE, { recursive: true, force: true });
  mkdirSync(dirname(TEMPLATE), { recursive: true });
  const server = await createProcess({ DATA_DIR: TEMPLATE });
  await server.start();
  await server.stop();
  await server.remove();
  // The machine does not lose its power during a test.
  appendFileSync(join(TEMPLATE, "postgres/postgresql.auto.conf"), "fsync = off\nfull_page_writes = off\n");
}

/** With this search path, `now()` in SQL means `clock.now()` once that exists, and the system's until then. */
const CLOCK_FIRST = "-c search_path=public,clock,pg_catalog";
const CREATE_CLOCK = `
  create schema clock;
  create table clock.setting (shift interval not null);
  insert into clock.setting values ('0');
  create function clock.now() returns timestamptz language sql stable
    as 'select pg_catalog.now() + shift from clock.setting';
  do $$ declare one record; begin
    for one in select table_name, column_name from information_schema.columns
      where table_schema = 'public' and column_default like '%now()' loop
      execute format('alter table public.%I alter column %I set default clock.now()', one.table_name, one.column_name);
    end loop;
    for one in select pg_get_functiondef(oid) as text from pg_proc
      where pronamespace = 'public'::regnamespace and prosqlbody is not null loop
      execute replace(one.text, 'pg_catalog.now()', 'clock.now()');
    end loop;
  end $$`;

/**
 * A real server process on its own data folder and embedded PostgreSQL, that a test may kill and start again. With
 * `shiftableClock`, `setClock` sets the current time of the server and its database. With `fromTemplate`, it starts on
 * a copy of the template, which takes half the time. `root`: the folder of another version of the code. With
 * `hasProbe`, `readProbe` reads how late its event loop was and how long anything waited for a connection, in ms since
 * the last reading.
 */
export async function createProcess(
  env: Record<string, string> = {},
  { shiftableClock = false, fromTemplate = false, hasProbe = false, root = join(import.meta.dirname, "..") } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), "lyceum-process-"));
  const dataDir = env.DATA_DIR ?? join(folder, "data");
  // The database folder belongs to the account that PostgreSQL runs as: `cp -a` keeps it.
  if (fromTemplate) execFileSync("cp", ["-a", TEMPLATE, dataDir]);
  const clockFile = join(folder, "clock");
  if (shiftableClock) writeFileSync(clockFile, "0");
  const probeFile = join(folder, "probe.json");
  const [port, contentPort] = [await freePort(), await freePort()];
  const url = `http://localhost:${port}`;
  let child: ChildProcess | null = null;
  let output = "";

  const isUp = () =>
    fetch(`${url}/api/health`).then(
      (reply) => reply.ok,
      () => false,
    );
  const start = async () => {
    const preload = [
      ...(shiftableClock ? ["--import", "./test/shiftedClock.ts"] : []),
      ...(hasProbe ? ["--import", "./test/serverProbe.ts"] : []),
    ];
    child = spawn(process.execPath, [...preload, "server/main.ts"], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        NODE_ENV: "",
        PORT: String(port),
        CONTENT_PORT: String(contentPort),
        DATA_DIR: dataDir,
        DEMO: "false",
        LOG_LEVEL: "warn",
        PRIVATE_HOSTS: "localhost,127.0.0.1",
        ADMIN_EMAIL: ADMIN.email,
        ADMIN_PASSWORD: ADMIN.password,
        ...(shiftableClock && { PGOPTIONS: CLOCK_FIRST, CLOCK_FILE: clockFile }),
        ...(hasProbe && { PROBE_FILE: probeFile }),
        ...env,
      },
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (text: Buffer) => {
        output += text.toString();
      });
    const exit = new Promise<never>((_, reject) =>
      child?.once("exit", (code) => reject(new Error(`the server ended with ${code}:\n${output}`))),
    );
    exit.catch(() => {});
    // A first start with demo data takes half a minute of CPU on a slow machine.
    for (const until = Date.now() + 90_000; Date.now() < until;) {
      if (await Promise.race([isUp(), exit])) return;
      await sleep(50);
    }
    throw new Error(`the server did not start:\n${output}`);
  };
  const exited = () =>
    new Promise<void>((resolve) =>
      !child || child.exitCode !== null || child.signalCode !== null ? resolve() : child.once("exit", () => resolve()),
    );
  const end = async (signal: NodeJS.Signals) => {
    child?.kill(signal);
    await exited();
  };
  /** How to connect to its database while it runs. */
  const connection = (): pg.ClientConfig => {
    const [, , , sqlPort = "", host = ""] = readFileSync(join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n");
    return {
      host,
      port: Number(sqlPort),
      user: "lyceum",
      password: readFileSync(join(dataDir, "postgres.password"), "utf8").trim(),
      database: "postgres",
      ...(shiftableClock && { options: CLOCK_FIRST }),
    };
  };
  /** Runs one SQL statement on its database. */
  const query = async <R extends pg.QueryResultRow>(text: string, values: unknown[] = []) => {
    const client = new pg.Client(connection());
    await client.connect();
    const { rows } = await client.query<R>(text, values).finally(() => client.end());
    return rows;
  };
  let hasClock = false;
  let currentShiftMs = 0;
  /**
   * Sets the current time of the server and its database to `at`; time passes normally from then on. The server starts
   * again if that is more than a day later: the schedule of its jobs would catch up on each minute.
   */
  const setClock = async (at: Date) => {
    if (!hasClock) await query(CREATE_CLOCK);
    hasClock = true;
    const shiftMs = at.getTime() - Date.now();
    await query("update clock.setting set shift = make_interval(secs => $1)", [shiftMs / 1000]);
    writeFileSync(clockFile, String(shiftMs));
    if (shiftMs - currentShiftMs > 86_400_000) {
      await end("SIGTERM");
      await start();
    } else child?.kill("SIGUSR2");
    currentShiftMs = shiftMs;
  };
  const readProbe = async () => {
    rmSync(probeFile, { force: true });
    child?.kill("SIGUSR2");
    while (!existsSync(probeFile) || readFileSync(probeFile, "utf8") === "") await sleep(10);
    return JSON.parse(readFileSync(probeFile, "utf8")) as { loopDelayMs: number; connectionWaitMs: number };
  };
  return {
    url,
    readProbe,
    contentUrl: `http://localhost:${contentPort}`,
    dataDir,
    start,
    output: () => output,
    pid: () => child?.pid ?? 0,
    postgresPid: () => Number(readFileSync(join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n")[0]),
    connection,
    query,
    setClock,
    /** Ends the process immediately, as a crash or a power cut would. */
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
    /** Waits until the process ends by itself; its exit code. */
    async ended() {
      await exited();
      return child?.exitCode ?? null;
    },
    async remove() {
      if (child && child.exitCode === null) await end("SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
export type Process = Awaited<ReturnType<typeof createProcess>>;
