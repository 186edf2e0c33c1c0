import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { createProxy, sendTo, type Trouble } from "#test/faultyProxy.ts";
import { start } from "#test/start.ts";
import { clearToken, setGrant } from "#web/core/session/token.ts";
import { createTask, type TaskFacts } from "#web/core/upload/uploadTask.ts";
import { createUploadProtocol, type Target } from "#web/core/upload/uploadProtocol.ts";
import { objectAddress, type TaskState } from "#shared/files.ts";

export const KIB = 1024;
export const MIB = 1024 * KIB;
const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
export const until = async (what: () => boolean | Promise<boolean>) => {
  for (let tries = 0; tries < 3000 && !(await what()); tries++) await sleep(5);
  expect(await what()).toBe(true);
};
/** The commands that came over a line. */
export const commands = ({ seen }: { seen: { command: string }[] }) => seen.map(({ command }) => command);
/** Large chunks take their time, so that a test gets in between. */
export const slow = ({ bytes }: { bytes: number }): Trouble => (bytes >= MIB ? { delayMs: 40 } : undefined);
export const halfway = (task: { facts: () => TaskFacts }) => until(() => task.facts().sent > 2 * MIB);

/** The browser's upload task against a whole server, over a line that cuts, delays and loses. */
export async function startUploading() {
  const { app, services, make } = await start();
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  const admin = await make.admin();

  const grant = (token: string) => ({
    user: admin.user,
    token,
    expiresAt: new Date(Date.now() + 600_000).toISOString(),
  });
  const stored = async (path: string) =>
    (await app.inject({ url: `${objectAddress(path)}?alt=media`, headers: { authorization: `Bearer ${admin.token}` } }))
      .rawPayload;
  const exists = async (path: string) =>
    (await app.inject({ url: objectAddress(path), headers: { authorization: `Bearer ${admin.token}` } })).statusCode ===
    200;
  const sessionsOf = (path: string) =>
    services.db
      .selectFrom("uploadSessions")
      .where("fullPath", "=", path)
      .select(["status", "received"])
      .orderBy("createdAt")
      .execute();

  let closers: (() => unknown)[] = [];
  beforeEach(() => setGrant(grant(admin.token)));
  afterEach(async () => {
    for (const close of closers) await close();
    closers = [];
    clearToken();
    vi.unstubAllGlobals();
  });

  /** A line with its troubles, and a task that brings a file of random bytes over it. */
  const begin = async (
    bytes: number,
    trouble?: Parameters<typeof createProxy>[1],
    more: Partial<Parameters<typeof createTask>[0]> = {},
  ) => {
    const line = await createProxy(port, trouble);
    const data = randomBytes(bytes);
    const states: TaskState[] = [];
    const seenFacts: TaskFacts[] = [];
    const wire = createUploadProtocol(sendTo(line.port));
    const target: Target = {
      path: `course/${randomUUID()}/a file (1).zip`,
      contentType: "application/zip",
      metadata: { purpose: "course" },
    };
    const task = createTask({
      file: new Blob([data]),
      target,
      wire,
      pauseMs: () => 5,
      onChange: (facts) => {
        seenFacts.push(facts);
        if (states.at(-1) !== facts.state) states.push(facts.state);
      },
      ...more,
    });
    closers.push(() => task.stop(), line.close);
    const ends = () => until(() => ["success", "error", "canceled"].includes(task.facts().state));
    const intact = async () => hash(await stored(target.path)) === hash(data);
    return { line, task, states, seenFacts, ends, intact, wire, data, target };
  };
  return { begin, exists, sessionsOf, grant, admin, services };
}
