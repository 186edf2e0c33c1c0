import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { createProxy, createTransport, type Fault } from "#test/faultyProxy.ts";
import { start } from "#test/start.ts";
import { clearToken, setGrant } from "#web/core/session/token.ts";
import { createTask, type TaskSnapshot } from "#web/core/upload/uploadTask.ts";
import { createUploadProtocol, type Target } from "#web/core/upload/uploadProtocol.ts";
import { objectAddress, type TaskState } from "#shared/files/files.ts";

export const KIB = 1024;
export const MIB = 1024 * KIB;
const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
export const until = async (condition: () => boolean | Promise<boolean>) => {
  for (let tries = 0; tries < 3000 && !(await condition()); tries++) await sleep(5);
  expect(await condition()).toBe(true);
};
/** The commands that a proxy has seen. */
export const commands = ({ seen }: { seen: { command: string }[] }) => seen.map(({ command }) => command);
/** Delays large chunks, so that a test can act while one is being sent. */
export const slow = ({ bytes }: { bytes: number }): Fault => (bytes >= MIB ? { delayMs: 40 } : undefined);
export const halfway = (task: { snapshot: () => TaskSnapshot }) => until(() => task.snapshot().sent > 2 * MIB);

/** The upload task of the browser against a whole server, over a proxy with faults. */
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

  /** Starts the upload of a file of random bytes over a proxy with faults. */
  const begin = async (
    bytes: number,
    faultOf?: Parameters<typeof createProxy>[1],
    options: Partial<Parameters<typeof createTask>[0]> = {},
  ) => {
    const proxy = await createProxy(port, faultOf);
    const data = randomBytes(bytes);
    const states: TaskState[] = [];
    const snapshots: TaskSnapshot[] = [];
    const protocol = createUploadProtocol(createTransport(proxy.port));
    const target: Target = {
      fullPath: `course/${randomUUID()}/a file (1).zip`,
      contentType: "application/zip",
      customMetadata: { purpose: "course" },
    };
    const task = createTask({
      file: new Blob([data]),
      target,
      protocol,
      pauseMs: () => 5,
      onChange: (snapshot) => {
        snapshots.push(snapshot);
        if (states.at(-1) !== snapshot.state) states.push(snapshot.state);
      },
      ...options,
    });
    closers.push(() => task.stop(), proxy.close);
    const waitForEnd = () => until(() => ["success", "error", "canceled"].includes(task.snapshot().state));
    const isIntact = async () => hash(await stored(target.fullPath)) === hash(data);
    return { proxy, task, states, snapshots, waitForEnd, isIntact, protocol, data, target };
  };
  return { begin, exists, sessionsOf, grant, admin, services };
}
