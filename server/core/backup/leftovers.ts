import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { z } from "zod";

// Traces of backups and restores whose process was killed, and how the next one removes them.

/**
 * Exists in DATA_DIR while a backup is restored into it. Its presence afterwards means that the restore was
 * interrupted.
 */
export const UNFINISHED_RESTORE = "restore.unfinished";
/** Prefix of files in DATA_DIR, one for each process, that say what a backup is writing (`noteShape`). */
const UNFINISHED_BACKUP = "backup.unfinished";

const noteShape = z.object({ host: z.string(), pid: z.int(), paths: z.array(z.string()) });

/** Removes what killed backups of this machine have left behind. */
export async function removeKilledBackups(dataDir: string) {
  for (const name of readdirSync(dataDir).filter((one) => one.startsWith(UNFINISHED_BACKUP))) {
    const file = join(dataDir, name);
    const note = readNote(file);
    if (!note || note.host !== hostname() || isRunning(note.pid)) continue;
    await removeAll(note.paths);
    rmSync(file, { force: true });
  }
}

/** Notes in DATA_DIR which files and folders a backup is writing. `finish` removes them and the note. */
export function noteBackup(dataDir: string, paths: string[]) {
  const file = join(dataDir, `${UNFINISHED_BACKUP}.${process.pid}`);
  writeFileSync(file, JSON.stringify({ host: hostname(), pid: process.pid, paths }), { mode: 0o600 });
  return {
    finish: async () => {
      await removeAll(paths);
      rmSync(file, { force: true });
    },
  };
}

const removeAll = async (paths: string[]) => {
  for (const path of paths) await rm(path, { recursive: true, force: true });
};

function readNote(file: string) {
  try {
    return noteShape.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return null;
  }
}

function isRunning(pid: number) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Removes what an interrupted restore has written to DATA_DIR, and notes that another one begins. `finish` removes the
 * note.
 */
export async function noteRestore(dataDir: string, filesDir: string) {
  const file = join(dataDir, UNFINISHED_RESTORE);
  if (existsSync(file)) await removeAll(["objects", "uploads", "packages"].map((name) => join(filesDir, name)));
  writeFileSync(file, "", { mode: 0o600 });
  return { finish: () => rmSync(file, { force: true }) };
}
