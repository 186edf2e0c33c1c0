import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { freePort } from "#test/process.ts";

// A container whose root file system is read-only: the data folder is a volume, the folder for temporary files is in
// memory.

/** Needs the right to mount, as root has it on Linux. */
const canMount = spawnSync("unshare", ["--mount", "true"]).status === 0;

/**
 * Runs the server with a writable data folder and, with `hasTmp`, a writable folder for temporary files; all else is
 * read-only.
 */
async function startReadOnly(hasTmp: boolean) {
  const folder = mkdtempSync(join(tmpdir(), "lyceum-readonly-"));
  const data = join(folder, "data");
  mkdirSync(data);
  const port = await freePort();
  const script = `set -e
mount --make-rprivate /
mount --bind "$DATA_DIR" "$DATA_DIR"
${hasTmp ? 'mkdir -p "$DATA_DIR/volatile" && mount --bind "$DATA_DIR/volatile" /var/tmp && export TMPDIR=/var/tmp' : ""}
findmnt -rno TARGET,FSTYPE | while read -r target kind; do
  case "$target" in
    "$DATA_DIR"|/var/tmp|/proc*|/sys*|/dev*) ;;
    *) mount -o remount,bind,ro "$target" 2>/dev/null || true ;;
  esac
done
if touch "$PWD/written" 2>/dev/null; then echo "the code folder is writable"; exit 9; fi
exec "$NODE" server/main.ts`;
  const child = spawn("unshare", ["--mount", "sh", "-c", script], {
    cwd: join(import.meta.dirname, ".."),
    env: {
      ...process.env,
      NODE: process.execPath,
      NODE_ENV: "production",
      HOME: "/nonexistent",
      // The folder of the tests may be in memory, which stays writable.
      TMPDIR: "/tmp",
      DATA_DIR: data,
      PORT: String(port),
      CONTENT_PORT: String(await freePort()),
      LOG_LEVEL: "warn",
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (output += text.toString()));
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  return {
    url: `http://localhost:${port}`,
    ended,
    output: () => output,
    async remove() {
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

test.skipIf(!canMount)("starts on a read-only root file system", { timeout: 120_000 }, async () => {
  const server = await startReadOnly(true);
  try {
    const isUp = () =>
      fetch(`${server.url}/api/health`).then(
        async (reply) => ((await reply.json()) as { status: string }).status === "ok",
        () => false,
      );
    for (let n = 0; n < 300 && !(await isUp()); n++) await sleep(200);
    expect([await isUp(), server.output()]).toEqual([true, expect.any(String)]);
    expect((await fetch(`${server.url}/login`)).status).toBe(200);
    expect(server.output()).not.toMatch(/EROFS|read-only/);
  } finally {
    await server.remove();
  }
});

test.skipIf(!canMount)(
  "says what it needs if nowhere a temporary file can be written",
  { timeout: 60_000 },
  async () => {
    const server = await startReadOnly(false);
    try {
      expect(await Promise.race([server.ended, sleep(50_000, "still running")])).not.toBe("still running");
      expect(server.output()).toMatch(/cannot be written.*Mount a tmpfs there, or set TMPDIR/s);
    } finally {
      await server.remove();
    }
  },
);
