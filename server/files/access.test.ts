import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, describe, expect, test, vi } from "vitest";
import { objectAddress, OBJECTS_PATH } from "#shared/files/files.ts";
import { createObjects, newPath, startFileServer } from "#test/objects.ts";
import { startS3 } from "#test/s3.ts";

const s3 = await startS3();
afterAll(() => s3.stop());
const MIB = 1024 ** 2;
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe.each([
  ["disk", {}],
  ["S3", { STORAGE_URL: s3.url }],
])("files on %s", async (_, env) => {
  const { url, db, make, admin, learner, company, adminClient } = await startFileServer(env);

  test("restricts reading and writing by role, owner and company", async () => {
    const other = await make.learner((await make.company(admin)).accessCode);
    const [member, outsider, guest] = [
      createObjects(url, learner.token),
      createObjects(url, other.token),
      createObjects(url, null),
    ];
    const [secret, shared, brand, mine] = [
      newPath("secret.txt"),
      newPath("shared.txt"),
      newPath("logo.png"),
      newPath("me.png"),
    ];
    await adminClient.put(secret, Buffer.from("s"), { purpose: "document", companyId: company.id });
    await adminClient.put(shared, Buffer.from("s"), {
      purpose: "document",
      companyId: company.id,
      visibility: "company",
    });
    await adminClient.put(brand, PNG, { purpose: "brand" });
    expect(
      (await member.put(mine, PNG, { purpose: "avatar", companyId: randomUUID(), visibility: "public" })).status,
    ).toBe(200);
    expect(
      await db
        .selectFrom("files")
        .where("fullPath", "=", mine)
        .select(["companyId", "visibility"])
        .executeTakeFirstOrThrow(),
    ).toEqual({ companyId: company.id, visibility: "company" });
    for (const purpose of ["course", "document", "event_cover", "brand", "export"])
      expect([purpose, (await member.put(newPath("x"), PNG, { purpose })).status]).toEqual([purpose, 403]);
    expect((await adminClient.put(newPath("x"), PNG, { purpose: "export" })).status).toBe(403);
    expect((await guest.put(newPath("x"), PNG, { purpose: "avatar" })).status).toBe(401);
    const statusesFor = async (client: typeof adminClient) =>
      Promise.all([secret, shared, mine, brand].map(async (path) => (await client.read(path)).status));
    expect(await statusesFor(adminClient)).toEqual([200, 200, 200, 200]);
    expect(await statusesFor(member)).toEqual([404, 200, 200, 200]);
    expect(await statusesFor(outsider)).toEqual([404, 404, 404, 200]);
    expect(await statusesFor(guest)).toEqual([401, 401, 401, 200]);
    for (const path of [secret, shared, mine]) {
      expect((await outsider.get(path)).status).toBe(404);
      expect((await outsider.change(path, { cacheControl: "no-store" })).status).toBe(404);
      expect((await outsider.remove(path)).status).toBe(404);
      expect((await outsider.newToken(path)).status).toBe(404);
      expect((await outsider.read(path, { query: `&token=${randomUUID()}` })).status).toBe(404);
      expect((await guest.read(path, { query: `&token=${randomUUID()}` })).status).toBe(404);
    }
    expect((await outsider.put(mine, PNG, { purpose: "avatar" })).status).toBe(404);
    expect([(await member.remove(shared)).status, (await member.change(shared, {})).status]).toEqual([403, 403]);
    const { address } = await adminClient.begin(newPath("theirs.bin"), 10);
    expect([
      (await member.query(address)).status,
      (await member.command(address, "cancel")).status,
      (await member.command(address, "upload", { offset: 0, bytes: randomBytes(10) })).status,
    ]).toEqual([404, 404, 404]);
    expect((await createObjects(url, null).query(address)).status).toBe(401);
    expect((await adminClient.put(newPath("x"), PNG, { purpose: "document", companyId: randomUUID() })).status).toBe(
      422,
    );
    expect((await member.change(mine, { metadata: { purpose: "brand" } })).status).toBe(403);
  });

  test("download tokens work without a sign-in until they are revoked", async () => {
    const path = newPath("token.txt");
    const { body } = await adminClient.put(path, Buffer.from("hello"));
    const guest = createObjects(url, null);
    expect((await guest.read(path, { query: `&token=${body.downloadTokens}` })).bytes.toString()).toBe("hello");
    const second = (await adminClient.newToken(path)).body.downloadTokens
      .split(",")
      .find((token) => token !== body.downloadTokens) as string;
    expect((await adminClient.revoke(path, body.downloadTokens)).body.downloadTokens).toBe(second);
    expect((await guest.read(path, { query: `&token=${body.downloadTokens}` })).status).toBe(403);
    expect((await guest.read(path, { query: `&token=${second}` })).status).toBe(200);
    expect((await adminClient.revoke(path, randomUUID())).status).toBe(404);
    const row = JSON.stringify(
      await db.selectFrom("files").where("fullPath", "=", path).selectAll().executeTakeFirstOrThrow(),
    );
    expect(row).not.toContain(second);
    expect((await guest.read(path, { query: `&token=${second}` })).headers.get("referrer-policy")).toBe("no-referrer");
  });

  test("download tokens expire after 30 days and are hidden from readers of a file", async () => {
    const path = newPath("token.txt");
    await adminClient.put(path, Buffer.from("hello"), {
      purpose: "document",
      companyId: company.id,
      visibility: "company",
    });
    expect((await createObjects(url, learner.token).get(path)).body.downloadTokens).toBe("");
    const { downloadTokens } = (await adminClient.get(path)).body;
    const read = async () => (await createObjects(url, null).read(path, { query: `&token=${downloadTokens}` })).status;
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 29 * 86_400_000 });
    expect(await read()).toBe(200);
    vi.setSystemTime(Date.now() + 2 * 86_400_000);
    expect(await read()).toBe(403);
    vi.useRealTimers();
  });

  test("rejects paths that could be mistaken for others", async () => {
    const invalidPaths = [
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
    for (const path of invalidPaths) {
      const refused = await adminClient.put(path, randomBytes(1));
      expect([path, refused.status, refused.body.code]).toEqual([path, 400, "files.badPath"]);
      expect((await adminClient.begin(path, 10)).status).toBe(400);
    }
    for (const raw of [
      "%2e%2e%2fsecret",
      "..%2f..%2fpostgres.password",
      "%c0%ae%c0%ae%2fx",
      "a%00b",
      "%252e%252e%252fx",
      "%ff",
    ])
      expect([raw, (await adminClient.send(`${OBJECTS_PATH}/${raw}`)).status]).toEqual([raw, 400]);
    expect((await adminClient.send("/v0/b/other/o")).status).toBe(404);
    // Composed and decomposed characters are the same path.
    const composed = newPath("caf\u00e9.txt");
    await adminClient.put(composed.normalize("NFD"), Buffer.from("x"));
    expect((await adminClient.get(composed)).body.name).toBe(composed);
  });

  test("serves no active content and no disguised types", async () => {
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
      const path = newPath("evil");
      await adminClient.put(
        path,
        Buffer.from(evil),
        { visibility: "public", purpose: "document" },
        { contentType, contentDisposition: 'inline; filename="evil.html"' },
      );
      const { headers } = await adminClient.read(path);
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
    const picture = newPath("picture.png");
    await adminClient.put(picture, PNG, { purpose: "event_cover" }, { contentType: "image/png" });
    const { headers } = await adminClient.read(picture);
    expect([headers.get("content-type"), headers.get("content-disposition")]).toEqual([
      "image/png",
      "inline; filename=picture.png",
    ]);
    const fake = await adminClient.put(
      newPath("fake.png"),
      Buffer.from(evil),
      { purpose: "avatar" },
      { contentType: "image/png" },
    );
    expect([fake.status, fake.body.code]).toEqual([415, "files.wrongType"]);
    const headerInjection = await adminClient.put(
      newPath("split.txt"),
      Buffer.from("x"),
      {},
      { contentDisposition: 'attachment; filename="a\r\nSet-Cookie: a=b"' },
    );
    expect(headerInjection.status).toBe(400);
  });

  test("supports ranges and conditional requests", async () => {
    const bytes = randomBytes(1000);
    const path = newPath("range.bin");
    await adminClient.put(path, bytes);
    const part = await adminClient.read(path, { headers: { range: "bytes=10-19" } });
    expect([part.status, part.headers.get("content-range"), part.bytes.equals(bytes.subarray(10, 20))]).toEqual([
      206,
      "bytes 10-19/1000",
      true,
    ]);
    expect((await adminClient.read(path, { headers: { range: "bytes=-5" } })).bytes.equals(bytes.subarray(995))).toBe(
      true,
    );
    expect((await adminClient.read(path, { headers: { range: "bytes=2000-" } })).status).toBe(416);
    const etag = part.headers.get("etag") as string;
    expect((await adminClient.read(path, { headers: { "if-none-match": etag } })).status).toBe(304);
    expect((await adminClient.read(path, { headers: { range: "bytes=0-1", "if-range": '"old"' } })).status).toBe(200);
    const head = await fetch(`${url}${objectAddress(path)}?alt=media`, {
      method: "HEAD",
      headers: { authorization: `Bearer ${admin.token}` },
    });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, "1000"]);
  });

  test("enforces company and total quotas, including declared sizes", async () => {
    const overQuota = await adminClient.begin(newPath("a"), 21 * MIB, { purpose: "document", companyId: company.id });
    expect([overQuota.status, overQuota.body.code]).toEqual([402, "files.companyQuota"]);
    const companyUploads = await Promise.all(
      Array.from({ length: 6 }, () =>
        adminClient.begin(newPath("b"), 5 * MIB, { purpose: "document", companyId: company.id }),
      ),
    );
    expect(companyUploads.filter(({ status }) => status === 200).length).toBe(3);
    expect(companyUploads.filter(({ status }) => status === 402).length).toBe(3);
    const largeUploads = await Promise.all(Array.from({ length: 3 }, () => adminClient.begin(newPath("c"), 180 * MIB)));
    expect(largeUploads.map(({ status }) => status).toSorted()).toEqual([200, 200, 402]);
    await Promise.all(
      [...companyUploads, ...largeUploads]
        .filter(({ status }) => status === 200)
        .map(({ address }) => adminClient.command(address, "cancel")),
    );
    expect((await adminClient.begin(newPath("d"), 180 * MIB)).status).toBe(200);
  });

  test("runs at most 40 uploads of a person at a time", async () => {
    const client = createObjects(url, (await make.admin()).token);
    const begun = [];
    for (let count = 0; count < 41; count++) begun.push(await client.begin(newPath("n"), 1));
    expect(begun.slice(0, 40).filter(({ status }) => status === 200)).toHaveLength(40);
    expect([begun[40]?.status, begun[40]?.body.code]).toEqual([409, "files.tooManyUploads"]);
    await client.command(begun[0]?.address ?? "", "cancel");
    expect((await client.begin(newPath("n"), 1)).status).toBe(200);
  });
});
