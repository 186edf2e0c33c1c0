import { createHash, randomBytes } from "node:crypto";
import { connect } from "node:net";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { sweepFiles } from "#server/files/jobs.ts";
import { OBJECTS_PATH, upload } from "#shared/files/files.ts";
import { newPath, startFileServer } from "#test/objects.ts";
import { startS3 } from "#test/s3.ts";

const s3 = await startS3();
afterAll(() => s3.stop());
const MIB = 1024 ** 2;
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe.each([
  ["disk", {}],
  ["S3", { STORAGE_URL: s3.url }],
])("uploads to %s", async (storageKind, env) => {
  const { url, port, services, db, admin, adminClient } = await startFileServer(env);
  /** Storage entries of unfinished uploads. */
  const unfinished = () => {
    if (storageKind === "S3") return [...s3.open.keys()];
    const folder = join(services.config.filesDir, "uploads");
    return existsSync(folder) ? readdirSync(folder) : [];
  };
  const countActive = async () =>
    (await db.selectFrom("uploadSessions").where("status", "=", "active").select("id").execute()).length;

  test("stores chunks of any size, with the hashes of what was sent", async () => {
    const bytes = randomBytes(12 * MIB + 333);
    const path = newPath("chunks.bin");
    const { status, address, headers } = await adminClient.begin(path, bytes.length);
    expect([
      status,
      headers.get(upload.status),
      headers.get(upload.granularity),
      address.startsWith(`${url}${OBJECTS_PATH}?`),
    ]).toEqual([200, "active", "262144", true]);
    for (const [from, to] of [
      [0, 1],
      [1, 262_144],
      [262_144, 7 * MIB],
      [7 * MIB, 7 * MIB + 5],
    ] as const) {
      expect(
        (await adminClient.command(address, "upload", { offset: from, bytes: bytes.subarray(from, to) })).headers.get(
          upload.status,
        ),
      ).toBe("active");
      expect(await adminClient.query(address)).toEqual({ status: 200, state: "active", received: to });
    }
    const last = await adminClient.command(address, "upload, finalize", {
      offset: 7 * MIB + 5,
      bytes: bytes.subarray(7 * MIB + 5),
    });
    expect([last.status, last.headers.get(upload.status)]).toEqual([200, "final"]);
    expect(last.body).toMatchObject({
      name: path,
      size: String(bytes.length),
      md5Hash: createHash("md5").update(bytes).digest("base64"),
      metageneration: "1",
    });
    expect(sha256((await adminClient.read(path)).bytes)).toBe(sha256(bytes));
    expect(
      (await db.selectFrom("files").where("fullPath", "=", path).select("sha256").executeTakeFirstOrThrow()).sha256,
    ).toBe(sha256(bytes));
    expect([await adminClient.query(address), unfinished()]).toEqual([
      { status: 200, state: "final", received: bytes.length },
      [],
    ]);
  });

  test("finishing twice or in parallel returns the same file", async () => {
    const bytes = randomBytes(300_000);
    const path = newPath("twice.bin");
    const { address } = await adminClient.begin(path, bytes.length);
    await adminClient.command(address, "upload", { offset: 0, bytes });
    const [first, second] = await Promise.all([
      adminClient.command(address, "finalize"),
      adminClient.command(address, "finalize"),
    ]);
    expect([first.status, second.status, first.body.generation]).toEqual([200, 200, second.body.generation]);
    const again = await adminClient.command(address, "upload, finalize", { offset: 0, bytes });
    expect([again.status, again.body.generation]).toEqual([200, first.body.generation]);
    expect((await db.selectFrom("files").where("fullPath", "=", path).select("id").execute()).length).toBe(1);
  });

  // Large uploads are hashed in a thread.
  test.each([1, 10])(
    "accepts the last chunk again, and rejects gaps, overlaps and other bytes (× %i)",
    async (scale) => {
      const kb = 1000 * scale;
      const bytes = randomBytes(900 * kb);
      const { address } = await adminClient.begin(newPath("again.bin"), bytes.length);
      await adminClient.command(address, "upload", { offset: 0, bytes: bytes.subarray(0, 300 * kb) });
      await adminClient.command(address, "upload", { offset: 300 * kb, bytes: bytes.subarray(300 * kb, 600 * kb) });
      // The reply was lost: the same chunk again, followed by more bytes.
      expect(
        (
          await adminClient.command(address, "upload", { offset: 300 * kb, bytes: bytes.subarray(300 * kb, 700 * kb) })
        ).headers.get(upload.received),
      ).toBe(String(700 * kb));
      for (const offset of [700 * kb + 1, 500 * kb, 0]) {
        const wrong = await adminClient.command(address, "upload", { offset, bytes: bytes.subarray(offset, 800 * kb) });
        expect([offset, wrong.status, wrong.body.code, wrong.body.details]).toEqual([
          offset,
          409,
          "files.wrongOffset",
          { received: 700 * kb },
        ]);
      }
      const differing = await adminClient.command(address, "upload", {
        offset: 300 * kb,
        bytes: randomBytes(500 * kb),
      });
      expect([differing.status, differing.body.code]).toEqual([409, "files.otherBytes"]);
      expect((await adminClient.query(address)).received).toBe(700 * kb);
      const done = await adminClient.command(address, "upload, finalize", {
        offset: 700 * kb,
        bytes: bytes.subarray(700 * kb),
      });
      expect([done.status, done.body.md5Hash]).toEqual([200, createHash("md5").update(bytes).digest("base64")]);
    },
  );

  /** The head of a raw request that sends the first bytes of an upload. */
  const headOf = (address: string, command: string, length: number) => {
    const { pathname, search } = new URL(address);
    return [
      `POST ${pathname}${search} HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      `Authorization: Bearer ${admin.token}`,
      `${upload.command}: ${command}`,
      `${upload.offset}: 0`,
      `Content-Length: ${length}`,
      "\r\n",
    ].join("\r\n");
  };

  test("keeps the bytes that arrived before the connection broke", async () => {
    const bytes = randomBytes(2 * MIB);
    const path = newPath("cut.bin");
    const { address } = await adminClient.begin(path, bytes.length);
    await new Promise<void>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.write(headOf(address, "upload, finalize", bytes.length));
        socket.write(bytes.subarray(0, 1_000_000), () =>
          setTimeout(() => {
            socket.destroy();
            resolve();
          }, 300),
        );
      });
    });
    await expect.poll(async () => (await adminClient.query(address)).received).toBe(1_000_000);
    const done = await adminClient.command(address, "upload, finalize", {
      offset: 1_000_000,
      bytes: bytes.subarray(1_000_000),
    });
    expect([done.status, sha256((await adminClient.read(path)).bytes)]).toEqual([200, sha256(bytes)]);
  });

  test("a newer request replaces one that hangs", async () => {
    const bytes = randomBytes(600_000);
    const { address } = await adminClient.begin(newPath("hangs.bin"), bytes.length);
    const socket = connect(port, "127.0.0.1");
    socket.write(headOf(address, "upload", bytes.length));
    socket.write(bytes.subarray(0, 200_000));
    socket.on("error", () => {});
    await new Promise((resolve) => setTimeout(resolve, 300));
    const done = await adminClient.command(address, "upload, finalize", { offset: 0, bytes });
    expect([done.status, done.body.size]).toEqual([200, "600000"]);
    socket.destroy();
  });

  test("refuses to finish before the last byte and keeps the upload", async () => {
    const bytes = randomBytes(6 * MIB);
    const path = newPath("short.bin");
    const { address } = await adminClient.begin(path, bytes.length);
    const first = bytes.subarray(0, 5 * MIB + 1);
    for (const refused of [
      await adminClient.command(address, "upload, finalize", { offset: 0, bytes: first }),
      await adminClient.command(address, "finalize"),
    ])
      expect([refused.status, refused.body.code, refused.body.details, refused.headers.get(upload.status)]).toEqual([
        400,
        "files.incomplete",
        { received: first.length },
        "active",
      ]);
    expect(await adminClient.query(address)).toEqual({ status: 200, state: "active", received: first.length });
    expect((await adminClient.get(path)).status).toBe(404);
    const rest = { offset: first.length, bytes: bytes.subarray(first.length) };
    expect((await adminClient.command(address, "upload, finalize", rest)).status).toBe(200);
    expect([sha256((await adminClient.read(path)).bytes), unfinished()]).toEqual([sha256(bytes), []]);
  });

  test("ends uploads with wrong lengths or hashes and leaves no bytes", async () => {
    const before = await countActive();
    const long = await adminClient.begin(newPath("long.bin"), 100);
    const tooLong = await adminClient.command(long.address, "upload", { offset: 0, bytes: randomBytes(101) });
    expect([tooLong.status, tooLong.body.code]).toEqual([400, "files.tooLong"]);
    const huge = await adminClient.begin(newPath("huge.bin"), 10 * 1024 ** 3);
    expect([huge.status, huge.body.code]).toEqual([413, "files.tooLarge"]);
    for (const size of ["-1", "many", "1e9", ""])
      expect((await adminClient.begin(newPath("odd.bin"), size)).status).toBe(400);
    const damaged = await adminClient.put(
      newPath("damaged.bin"),
      randomBytes(10),
      {},
      { md5Hash: "AAAAAAAAAAAAAAAAAAAAAA==" },
    );
    expect([damaged.status, damaged.body.code]).toEqual([400, "files.md5Mismatch"]);
    expect([await countActive(), unfinished()]).toEqual([before, []]);
  });

  test("starting again on a path cancels the earlier upload", async () => {
    const path = newPath("anew.bin");
    const [first, before] = [await adminClient.begin(path, 1000), await countActive()];
    const second = await adminClient.begin(path, 1000);
    expect([
      await countActive(),
      (await adminClient.query(first.address)).state,
      (await adminClient.query(second.address)).state,
    ]).toEqual([before, "cancelled", "active"]);
    await adminClient.command(second.address, "cancel");
  });

  test("cancelled, expired and deleted uploads leave no bytes", async () => {
    const { address } = await adminClient.begin(newPath("cancel.bin"), 20 * MIB);
    await adminClient.command(address, "upload", { offset: 0, bytes: randomBytes(6 * MIB) });
    expect((await adminClient.command(address, "cancel")).status).toBe(200);
    expect((await adminClient.command(address, "cancel")).status).toBe(200);
    expect(unfinished()).toEqual([]);
    const expired = await adminClient.begin(newPath("late.bin"), 20 * MIB);
    await adminClient.command(expired.address, "upload", { offset: 0, bytes: randomBytes(6 * MIB) });
    expect(unfinished().length).toBe(1);
    await db
      .updateTable("uploadSessions")
      .set({ expiresAt: new Date(0).toISOString() })
      .where("status", "=", "active")
      .execute();
    expect((await adminClient.query(expired.address)).status).toBe(404);
    await sweepFiles.work(services, {});
    expect([unfinished(), await countActive()]).toEqual([[], 0]);
    const deleted = newPath("gone.bin");
    await adminClient.put(deleted, randomBytes(100));
    const { storageKey } = await db
      .selectFrom("files")
      .where("fullPath", "=", deleted)
      .select("storageKey")
      .executeTakeFirstOrThrow();
    expect((await adminClient.remove(deleted)).status).toBe(204);
    expect((await adminClient.get(deleted)).status).toBe(404);
    await db
      .updateTable("files")
      .set({ deletedAt: new Date(0).toISOString() })
      .where("fullPath", "=", deleted)
      .execute();
    await sweepFiles.work(services, {});
    await expect(services.storage.read(storageKey)).rejects.toThrow();
  });
});
