import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { sentence } from "#server/core/http/problem.ts";
import { player, SESSION_HEADER, type SessionEvent } from "#shared/player/player.ts";
import { openClass } from "#test/openClass.ts";
import { createProcess } from "#test/process.ts";

// A server whose disk is full says so, keeps its data, and continues when there is space again

const folder = mkdtempSync(join(tmpdir(), "lyceum-disk-"));
const disk = join(folder, "disk");
mkdirSync(disk);
/** A separate small disk; only root may mount one, and not in every container. */
const isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=600m", "tmpfs", disk]).status === 0;
const server = await createProcess({ DATA_DIR: join(disk, "data") });
afterAll(async () => {
  await server.remove();
  if (isMounted) spawnSync("umount", ["-l", disk]);
  rmSync(folder, { recursive: true, force: true });
});

const filler = join(disk, "filler");
/** Fills the disk to the last byte. */
function fillDisk() {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(filler, Buffer.alloc(Math.max(0, bavail - 1) * bsize));
  try {
    writeFileSync(`${filler}2`, Buffer.alloc(10 * bsize));
  } catch {
    // It is full.
  }
}
const readHealth = async () => {
  const reply = await fetch(`${server.url}/api/health`);
  return (await reply.json()) as Record<string, string>;
};
const setting = (seq: number, value: string): SessionEvent => ({
  seq,
  t: seq,
  type: "scorm.set",
  sco: "i1",
  key: "cmi.suspend_data",
  value,
});
const randomText = () => randomBytes(30_000).toString("base64");

test.skipIf(!isMounted)(
  "a full disk is named by health and by commits, and loses nothing",
  { timeout: 240_000 },
  async () => {
    await server.start();
    const [learner] = await openClass(server.url, 1);
    const { session, writer } = learner as NonNullable<typeof learner>;
    const save = async (value: string) => {
      writer.add([{ type: "scorm.set", sco: "i1", key: "cmi.suspend_data", value }]);
      return writer.flush();
    };
    writer.add([{ type: "scorm.init", sco: "i1" }]);
    expect(await save("before")).toBe(true);
    expect(await readHealth()).toMatchObject({ status: "ok", database: "ok" });

    fillDisk();
    await expect
      .poll(readHealth, { timeout: 10_000 })
      .toMatchObject({ database: "full", storage: "full", status: "failing" });
    // PostgreSQL goes on with the files that it has; then it refuses what is written, or ends.
    const refusals: string[] = [];
    for (const until = Date.now() + 120_000; refusals.length < 5 && Date.now() < until;) {
      const reply = await fetch(server.url + player.commit.path.replace(":id", session.sessionId), {
        method: "POST",
        headers: { "content-type": "application/json", [SESSION_HEADER]: session.token },
        body: JSON.stringify({ events: [setting(writer.last() + 1, randomText())], activeMs: 1 }),
      });
      if (reply.ok) writer.add([{ type: "nav", sco: "i1" }]);
      else refusals.push(`${reply.status} ${((await reply.json()) as { error: string }).error}`);
    }
    expect(refusals).toEqual(Array.from({ length: 5 }, () => `503 ${sentence("core.diskFull")}`));
    expect((await fetch(`${server.url}/api/health/live`)).status).toBe(200);

    for (const name of [filler, `${filler}2`]) rmSync(name, { force: true });
    await expect.poll(readHealth, { timeout: 90_000 }).toMatchObject({ status: "ok", database: "ok", storage: "ok" });
    for (const until = Date.now() + 30_000; writer.held() > 0 && Date.now() < until;) await writer.flush();
    expect(await save("after")).toBe(true);
    const [stored] = await server.query<{ last: number }>("select last_seq as last from sessions where id = $1", [
      session.sessionId,
    ]);
    expect(Number(stored?.last)).toBe(writer.last());
  },
);
