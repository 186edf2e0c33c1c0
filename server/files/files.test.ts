import { createHash, randomBytes, randomUUID } from "node:crypto";
import { connect } from "node:net";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { sweepFiles } from "#server/files/jobs.ts";
import { objectAddress, OBJECTS_PATH, upload } from "#shared/files.ts";
import { createObjects } from "#test/objects.ts";
import { freePort } from "#test/process.ts";
import { startS3 } from "#test/s3.ts";
import { start } from "#test/start.ts";

const s3 = await startS3();
afterAll(() => s3.stop());
const MIB = 1024 ** 2;
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const sha = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe.each([
  ["disk", {}],
  ["S3", { STORAGE_URL: s3.url }],
])("files on %s", async (home, env) => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { app, make, services, db } = await start({
    ...env,
    PUBLIC_URL: url,
    CONTENT_ORIGIN: `http://localhost:${port + 1}`,
    STORAGE_QUOTA: "400MB",
    COMPANY_STORAGE_QUOTA: "20MB",
  });
  await app.listen({ port, host: "127.0.0.1" });
  const { admin, learner, company } = await make.classroom();
  const boss = createObjects(url, admin.token);
  const name = (what: string) => `test/${randomUUID()}/${what}`;
  /** What lies in the places for unfinished bytes. */
  const litter = () =>
    home === "disk"
      ? existsSync(join(services.config.filesDir, "uploads"))
        ? readdirSync(join(services.config.filesDir, "uploads"))
        : []
      : [...s3.open.keys()];
  const active = async () =>
    (await db.selectFrom("uploadSessions").where("status", "=", "active").select("id").execute()).length;

  test("in chunks of any size, queried, finished, with the sums of what was sent", async () => {
    const bytes = randomBytes(12 * MIB + 333);
    const path = name("chunks.bin");
    const { status, address, headers } = await boss.begin(path, bytes.length);
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
        (await boss.command(address, "upload", { offset: from, bytes: bytes.subarray(from, to) })).headers.get(
          upload.status,
        ),
      ).toBe("active");
      expect(await boss.query(address)).toEqual({ status: 200, state: "active", received: to });
    }
    const last = await boss.command(address, "upload, finalize", {
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
    expect(sha((await boss.read(path)).bytes)).toBe(sha(bytes));
    expect(
      (await db.selectFrom("files").where("fullPath", "=", path).select("sha256").executeTakeFirstOrThrow()).sha256,
    ).toBe(sha(bytes));
    expect([await boss.query(address), litter()]).toEqual([
      { status: 200, state: "final", received: bytes.length },
      [],
    ]);
  });

  test("a last answer that was lost is given again; two at the same time make one file", async () => {
    const bytes = randomBytes(300_000);
    const path = name("twice.bin");
    const { address } = await boss.begin(path, bytes.length);
    await boss.command(address, "upload", { offset: 0, bytes });
    const [one, two] = await Promise.all([boss.command(address, "finalize"), boss.command(address, "finalize")]);
    expect([one.status, two.status, one.body.generation]).toEqual([200, 200, two.body.generation]);
    const again = await boss.command(address, "upload, finalize", { offset: 0, bytes });
    expect([again.status, again.body.generation]).toEqual([200, one.body.generation]);
    expect((await db.selectFrom("files").where("fullPath", "=", path).select("id").execute()).length).toBe(1);
  });

  test("the same bytes may come again from where the last chunk began, others not; gaps and overlaps are refused", async () => {
    const bytes = randomBytes(900_000);
    const { address } = await boss.begin(name("again.bin"), bytes.length);
    await boss.command(address, "upload", { offset: 0, bytes: bytes.subarray(0, 300_000) });
    await boss.command(address, "upload", { offset: 300_000, bytes: bytes.subarray(300_000, 600_000) });
    // The answer got lost: the same chunk, this time with more behind it.
    expect(
      (await boss.command(address, "upload", { offset: 300_000, bytes: bytes.subarray(300_000, 700_000) })).headers.get(
        upload.received,
      ),
    ).toBe("700000");
    for (const offset of [700_001, 500_000, 0]) {
      const wrong = await boss.command(address, "upload", { offset, bytes: bytes.subarray(offset, 800_000) });
      expect([offset, wrong.status, wrong.body.code, wrong.body.details]).toEqual([
        offset,
        409,
        "files.wrongOffset",
        { received: 700_000 },
      ]);
    }
    const other = await boss.command(address, "upload", { offset: 300_000, bytes: randomBytes(500_000) });
    expect([other.status, other.body.code]).toEqual([409, "files.otherBytes"]);
    expect((await boss.query(address)).received).toBe(700_000);
    const done = await boss.command(address, "upload, finalize", { offset: 700_000, bytes: bytes.subarray(700_000) });
    expect([done.status, done.body.md5Hash]).toEqual([200, createHash("md5").update(bytes).digest("base64")]);
  });

  test("a connection that is cut in the middle of a chunk: what arrived stays", async () => {
    const bytes = randomBytes(2 * MIB);
    const path = name("cut.bin");
    const { address } = await boss.begin(path, bytes.length);
    await new Promise<void>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => {
        const { pathname, search } = new URL(address);
        socket.write(
          `POST ${pathname}${search} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${admin.token}\r\n${upload.command}: upload, finalize\r\n${upload.offset}: 0\r\nContent-Length: ${bytes.length}\r\n\r\n`,
        );
        socket.write(bytes.subarray(0, 1_000_000), () =>
          setTimeout(() => {
            socket.destroy();
            resolve();
          }, 300),
        );
      });
    });
    await expect.poll(async () => (await boss.query(address)).received).toBe(1_000_000);
    const done = await boss.command(address, "upload, finalize", {
      offset: 1_000_000,
      bytes: bytes.subarray(1_000_000),
    });
    expect([done.status, sha((await boss.read(path)).bytes)]).toEqual([200, sha(bytes)]);
  });

  test("a newer request goes on where an older one hangs", async () => {
    const bytes = randomBytes(600_000);
    const { address } = await boss.begin(name("hangs.bin"), bytes.length);
    const { pathname, search } = new URL(address);
    const socket = connect(port, "127.0.0.1");
    socket.write(
      `POST ${pathname}${search} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${admin.token}\r\n${upload.command}: upload\r\n${upload.offset}: 0\r\nContent-Length: 600000\r\n\r\n`,
    );
    socket.write(bytes.subarray(0, 200_000));
    socket.on("error", () => {});
    await new Promise((resolve) => setTimeout(resolve, 300));
    const done = await boss.command(address, "upload, finalize", { offset: 0, bytes });
    expect([done.status, done.body.size]).toEqual([200, "600000"]);
    socket.destroy();
  });

  test("wrong lengths end the upload, and nothing is left", async () => {
    const before = await active();
    const long = await boss.begin(name("long.bin"), 100);
    const tooLong = await boss.command(long.address, "upload", { offset: 0, bytes: randomBytes(101) });
    expect([tooLong.status, tooLong.body.code]).toEqual([400, "files.tooLong"]);
    const short = await boss.begin(name("short.bin"), 6 * MIB);
    const incomplete = await boss.command(short.address, "upload, finalize", {
      offset: 0,
      bytes: randomBytes(5 * MIB + 1),
    });
    expect([incomplete.status, incomplete.body.code]).toEqual([400, "files.incomplete"]);
    expect((await boss.query(short.address)).state).toBe("cancelled");
    expect((await boss.command(short.address, "upload", { offset: 0, bytes: randomBytes(5) })).status).toBe(410);
    const huge = await boss.begin(name("huge.bin"), 10 * 1024 ** 3);
    expect([huge.status, huge.body.code]).toEqual([413, "files.tooLarge"]);
    for (const size of ["-1", "many", "1e9", ""]) expect((await boss.begin(name("odd.bin"), size)).status).toBe(400);
    const damaged = await boss.put(name("damaged.bin"), randomBytes(10), {}, { md5Hash: "AAAAAAAAAAAAAAAAAAAAAA==" });
    expect([damaged.status, damaged.body.code]).toEqual([400, "files.md5Mismatch"]);
    expect([await active(), litter()]).toEqual([before, []]);
  });

  test("beginning anew on a path ends what was begun there before", async () => {
    const path = name("anew.bin");
    const [first, before] = [await boss.begin(path, 1000), await active()];
    const second = await boss.begin(path, 1000);
    expect([await active(), (await boss.query(first.address)).state, (await boss.query(second.address)).state]).toEqual(
      [before, "cancelled", "active"],
    );
    await boss.command(second.address, "cancel");
  });

  test("cancelled, expired and deleted uploads leave no bytes", async () => {
    const { address } = await boss.begin(name("cancel.bin"), 20 * MIB);
    await boss.command(address, "upload", { offset: 0, bytes: randomBytes(6 * MIB) });
    expect((await boss.command(address, "cancel")).status).toBe(200);
    expect((await boss.command(address, "cancel")).status).toBe(200);
    expect(litter()).toEqual([]);
    const late = await boss.begin(name("late.bin"), 20 * MIB);
    await boss.command(late.address, "upload", { offset: 0, bytes: randomBytes(6 * MIB) });
    expect(litter().length).toBe(1);
    await db
      .updateTable("uploadSessions")
      .set({ expiresAt: new Date(0).toISOString() })
      .where("status", "=", "active")
      .execute();
    expect((await boss.query(late.address)).status).toBe(404);
    await sweepFiles.work(services, {});
    expect([litter(), await active()]).toEqual([[], 0]);
    const gone = name("gone.bin");
    await boss.put(gone, randomBytes(100));
    const { storageKey } = await db
      .selectFrom("files")
      .where("fullPath", "=", gone)
      .select("storageKey")
      .executeTakeFirstOrThrow();
    expect((await boss.remove(gone)).status).toBe(204);
    expect((await boss.get(gone)).status).toBe(404);
    await db
      .updateTable("files")
      .set({ deletedAt: new Date(0).toISOString() })
      .where("fullPath", "=", gone)
      .execute();
    await sweepFiles.work(services, {});
    await expect(services.storage.read(storageKey)).rejects.toThrow();
  });

  test("who may: guests, learners, the other company", async () => {
    const other = await make.learner((await make.company(admin)).accessCode);
    const [lea, spy, guest] = [
      createObjects(url, learner.token),
      createObjects(url, other.token),
      createObjects(url, null),
    ];
    const [secret, shared, brand, mine] = [name("secret.txt"), name("shared.txt"), name("logo.png"), name("me.png")];
    await boss.put(secret, Buffer.from("s"), { purpose: "document", companyId: company.id });
    await boss.put(shared, Buffer.from("s"), { purpose: "document", companyId: company.id, visibility: "company" });
    await boss.put(brand, PNG, { purpose: "brand" });
    expect(
      (await lea.put(mine, PNG, { purpose: "avatar", companyId: randomUUID(), visibility: "public" })).status,
    ).toBe(200);
    expect(
      await db
        .selectFrom("files")
        .where("fullPath", "=", mine)
        .select(["companyId", "visibility"])
        .executeTakeFirstOrThrow(),
    ).toEqual({ companyId: company.id, visibility: "company" });
    for (const purpose of ["course", "document", "event_cover", "brand", "export"])
      expect([purpose, (await lea.put(name("x"), PNG, { purpose })).status]).toEqual([purpose, 403]);
    expect((await boss.put(name("x"), PNG, { purpose: "export" })).status).toBe(403);
    expect((await guest.put(name("x"), PNG, { purpose: "avatar" })).status).toBe(401);
    const seen = async (who: typeof boss) =>
      Promise.all([secret, shared, mine, brand].map(async (path) => (await who.read(path)).status));
    expect(await seen(boss)).toEqual([200, 200, 200, 200]);
    expect(await seen(lea)).toEqual([404, 200, 200, 200]);
    expect(await seen(spy)).toEqual([404, 404, 404, 200]);
    expect(await seen(guest)).toEqual([401, 401, 401, 200]);
    for (const path of [secret, shared, mine]) {
      expect((await spy.get(path)).status).toBe(404);
      expect((await spy.change(path, { cacheControl: "no-store" })).status).toBe(404);
      expect((await spy.remove(path)).status).toBe(404);
      expect((await spy.newToken(path)).status).toBe(404);
      expect((await spy.read(path, { query: `&token=${randomUUID()}` })).status).toBe(404);
      expect((await guest.read(path, { query: `&token=${randomUUID()}` })).status).toBe(404);
    }
    expect((await spy.put(mine, PNG, { purpose: "avatar" })).status).toBe(404);
    expect([(await lea.remove(shared)).status, (await lea.change(shared, {})).status]).toEqual([403, 403]);
    const { address } = await boss.begin(name("theirs.bin"), 10);
    expect([
      (await lea.query(address)).status,
      (await lea.command(address, "cancel")).status,
      (await lea.command(address, "upload", { offset: 0, bytes: randomBytes(10) })).status,
    ]).toEqual([404, 404, 404]);
    expect((await createObjects(url, null).query(address)).status).toBe(401);
    expect((await boss.put(name("x"), PNG, { purpose: "document", companyId: randomUUID() })).status).toBe(422);
    expect((await lea.change(mine, { metadata: { purpose: "brand" } })).status).toBe(403);
  });

  test("download tokens: made, used without a sign-in, taken back", async () => {
    const path = name("token.txt");
    const { body } = await boss.put(path, Buffer.from("hello"));
    const guest = createObjects(url, null);
    expect((await guest.read(path, { query: `&token=${body.downloadTokens}` })).bytes.toString()).toBe("hello");
    const second = (await boss.newToken(path)).body.downloadTokens
      .split(",")
      .find((token) => token !== body.downloadTokens) as string;
    expect((await boss.revoke(path, body.downloadTokens)).body.downloadTokens).toBe(second);
    expect((await guest.read(path, { query: `&token=${body.downloadTokens}` })).status).toBe(403);
    expect((await guest.read(path, { query: `&token=${second}` })).status).toBe(200);
    expect((await boss.revoke(path, randomUUID())).status).toBe(404);
    const row = JSON.stringify(
      await db.selectFrom("files").where("fullPath", "=", path).selectAll().executeTakeFirstOrThrow(),
    );
    expect(row).not.toContain(second);
    expect((await guest.read(path, { query: `&token=${second}` })).headers.get("referrer-policy")).toBe("no-referrer");
  });

  test("names that are tricks are refused in a sentence", async () => {
    const tricks = [
      "../x",
      "a/../b",
      "a//b",
      "/a",
      "a/",
      ".",
      "a/./b",
      "a\\b",
      "a\u0000b",
      "a\u202eb",
      "a%2fb",
      "a%2e%2e/b",
      "é".repeat(600),
      "",
      "a\nb",
    ];
    for (const trick of tricks) {
      const refused = await boss.put(trick, randomBytes(1));
      expect([trick, refused.status, refused.body.code]).toEqual([trick, 400, "files.badPath"]);
      expect((await boss.begin(trick, 10)).status).toBe(400);
    }
    for (const raw of [
      "%2e%2e%2fsecret",
      "..%2f..%2fpostgres.password",
      "%c0%ae%c0%ae%2fx",
      "a%00b",
      "%252e%252e%252fx",
      "%ff",
    ])
      expect([raw, (await boss.send(`${OBJECTS_PATH}/${raw}`)).status]).toEqual([raw, 400]);
    expect((await boss.send("/v0/b/other/o")).status).toBe(404);
    // Letters in two writings are one name.
    const folded = name("caf\u00e9.txt");
    await boss.put(folded.normalize("NFD"), Buffer.from("x"));
    expect((await boss.get(folded)).body.name).toBe(folded);
  });

  test("nothing runs on our origin, and nothing pretends", async () => {
    const evil = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    for (const contentType of [
      "text/html",
      "image/svg+xml",
      "application/xhtml+xml",
      "text/xml",
      "text/javascript",
      "image/png",
      "application/pdf",
      "video/mp4",
      "Text/HTML; charset=utf-8",
    ]) {
      const path = name("evil");
      await boss.put(
        path,
        Buffer.from(evil),
        { visibility: "public", purpose: "document" },
        { contentType, contentDisposition: 'inline; filename="evil.html"' },
      );
      const { headers } = await boss.read(path);
      expect([contentType, headers.get("content-type"), headers.get("content-disposition")?.split(";")[0]]).toEqual([
        contentType,
        "application/octet-stream",
        "attachment",
      ]);
      expect([headers.get("x-content-type-options"), headers.get("content-security-policy")]).toEqual([
        "nosniff",
        expect.stringContaining("sandbox"),
      ]);
    }
    const picture = name("picture.png");
    await boss.put(picture, PNG, { purpose: "event_cover" }, { contentType: "image/png" });
    const { headers } = await boss.read(picture);
    expect([headers.get("content-type"), headers.get("content-disposition")]).toEqual([
      "image/png",
      "inline; filename=picture.png",
    ]);
    const fake = await boss.put(
      name("fake.png"),
      Buffer.from(evil),
      { purpose: "avatar" },
      { contentType: "image/png" },
    );
    expect([fake.status, fake.body.code]).toEqual([415, "files.wrongType"]);
    const split = await boss.put(
      name("split.txt"),
      Buffer.from("x"),
      {},
      { contentDisposition: 'attachment; filename="a\r\nSet-Cookie: a=b"' },
    );
    expect(split.status).toBe(400);
  });

  test("ranges and conditions", async () => {
    const bytes = randomBytes(1000);
    const path = name("range.bin");
    await boss.put(path, bytes);
    const part = await boss.read(path, { headers: { range: "bytes=10-19" } });
    expect([part.status, part.headers.get("content-range"), part.bytes.equals(bytes.subarray(10, 20))]).toEqual([
      206,
      "bytes 10-19/1000",
      true,
    ]);
    expect((await boss.read(path, { headers: { range: "bytes=-5" } })).bytes.equals(bytes.subarray(995))).toBe(true);
    expect((await boss.read(path, { headers: { range: "bytes=2000-" } })).status).toBe(416);
    const etag = part.headers.get("etag") as string;
    expect((await boss.read(path, { headers: { "if-none-match": etag } })).status).toBe(304);
    expect((await boss.read(path, { headers: { range: "bytes=0-1", "if-range": '"old"' } })).status).toBe(200);
    const head = await fetch(`${url}${objectAddress(path)}?alt=media`, {
      method: "HEAD",
      headers: { authorization: `Bearer ${admin.token}` },
    });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, "1000"]);
  });

  test("quotas: of a company, and of everybody; what is announced counts", async () => {
    const full = await boss.begin(name("a"), 21 * MIB, { purpose: "document", companyId: company.id });
    expect([full.status, full.body.code]).toEqual([402, "files.companyQuota"]);
    const tries = await Promise.all(
      Array.from({ length: 6 }, () => boss.begin(name("b"), 5 * MIB, { purpose: "document", companyId: company.id })),
    );
    expect(tries.filter(({ status }) => status === 200).length).toBe(3);
    expect(tries.filter(({ status }) => status === 402).length).toBe(3);
    const all = await Promise.all(Array.from({ length: 3 }, () => boss.begin(name("c"), 180 * MIB)));
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 200, 402]);
    await Promise.all(
      [...tries, ...all].filter(({ status }) => status === 200).map(({ address }) => boss.command(address, "cancel")),
    );
    expect((await boss.begin(name("d"), 180 * MIB)).status).toBe(200);
  });
});
