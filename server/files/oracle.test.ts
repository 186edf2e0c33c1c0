import { createHash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { deleteApp, initializeApp } from "@firebase/app";
import {
  connectStorageEmulator,
  deleteObject,
  getBytes,
  getDownloadURL,
  getMetadata,
  getStorage,
  list,
  listAll,
  ref,
  type StorageReference,
  updateMetadata,
  uploadBytes,
  uploadBytesResumable,
  uploadString,
} from "@firebase/storage";
import { afterAll, describe, expect, test } from "vitest";
import { BUCKET } from "#shared/files.ts";
import { freePort } from "#test/process.ts";
import { startS3 } from "#test/s3.ts";
import { start } from "#test/start.ts";

// The vendor's own client is the judge of our side of its protocol, whatever the bytes lie on.

const s3 = await startS3();
afterAll(() => s3.stop());

describe.each([
  ["disk", {}],
  ["S3", { STORAGE_URL: s3.url }],
])("the vendor's client, files on %s", async (_, env) => {
  const port = await freePort();
  const { app, make } = await start({
    ...env,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    CONTENT_ORIGIN: `http://localhost:${port + 1}`,
  });
  await app.listen({ port, host: "127.0.0.1" });
  const { admin, learner } = await make.classroom();
  const apps = [
    initializeApp({ projectId: "x", storageBucket: BUCKET }, `admin-${port}`),
    initializeApp({ projectId: "x", storageBucket: BUCKET }, `learner-${port}`),
  ] as const;
  afterAll(() => Promise.all(apps.map((one) => deleteApp(one))));
  const [boss, pupil] = apps.map((one, index) => {
    const storage = getStorage(one);
    // An own host is reached as the emulator is; its token stands for the signed-in person.
    connectStorageEmulator(storage, "127.0.0.1", port);
    (storage as unknown as { _getAuthToken: () => Promise<string> })._getAuthToken = async () =>
      [admin.token, learner.token][index] as string;
    return storage;
  }) as [ReturnType<typeof getStorage>, ReturnType<typeof getStorage>];
  const md5 = (bytes: Uint8Array) => createHash("md5").update(bytes).digest("base64");
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => "no error",
      (error: { code: string }) => error.code,
    );
  const wait = async (is: () => boolean) => {
    for (let tries = 0; !is(); tries++) {
      if (tries > 400) throw new Error("it did not happen");
      await sleep(25);
    }
  };

  test("bytes, text, base64 and data URLs in one piece", async () => {
    const bytes = randomBytes(300_000);
    const at = ref(boss, "oracle/bytes.bin");
    const { metadata } = await uploadBytes(at, bytes, {
      contentType: "application/x-test",
      customMetadata: { purpose: "document", note: "été" },
    });
    expect(metadata).toMatchObject({
      bucket: BUCKET,
      fullPath: "oracle/bytes.bin",
      name: "bytes.bin",
      size: 300_000,
      md5Hash: md5(bytes),
      contentType: "application/x-test",
      metageneration: "1",
      customMetadata: { purpose: "document", note: "été" },
    });
    expect(Buffer.from(await getBytes(at)).equals(bytes)).toBe(true);
    expect(Buffer.from(await getBytes(at, 1000)).equals(bytes.subarray(0, 1000))).toBe(true);
    for (const [format, text] of [
      ["raw", "Grüße"],
      ["base64", "R3LDvMOfZQ=="],
      ["base64url", "R3LDvMOfZQ"],
      ["data_url", "data:text/plain;base64,R3LDvMOfZQ=="],
    ] as const) {
      const there = ref(boss, `oracle/text-${format}.txt`);
      await uploadString(there, text, format);
      expect(Buffer.from(await getBytes(there)).toString()).toBe("Grüße");
    }
    const empty = ref(boss, "oracle/empty");
    await uploadBytes(empty, new Uint8Array(0));
    expect((await getMetadata(empty)).size).toBe(0);
    expect((await getBytes(empty)).byteLength).toBe(0);
  });

  test("a large file in chunks, paused and resumed", async () => {
    const bytes = randomBytes(13 * 1024 * 1024 + 77);
    const at = ref(boss, "oracle/large file ünïcode.bin");
    const task = uploadBytesResumable(at, bytes, { customMetadata: { purpose: "document" } });
    const states = new Set<string>();
    let paused = false;
    task.on("state_changed", (shot) => {
      states.add(shot.state);
      if (!paused && shot.bytesTransferred > 700_000) paused = task.pause();
    });
    await wait(() => task.snapshot.state === "paused");
    expect(task.resume()).toBe(true);
    const { metadata } = await task;
    expect([...states]).toEqual(expect.arrayContaining(["running", "paused"]));
    expect(metadata).toMatchObject({
      size: bytes.length,
      md5Hash: md5(bytes),
      fullPath: "oracle/large file ünïcode.bin",
    });
    const got = await fetch(await getDownloadURL(at));
    expect(got.status).toBe(200);
    expect(Buffer.from(await got.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test("cancelled: no object is left", async () => {
    const at = ref(boss, "oracle/cancelled.bin");
    const task = uploadBytesResumable(at, randomBytes(6 * 1024 * 1024));
    task.on("state_changed", (shot) => {
      if (shot.bytesTransferred > 300_000) task.cancel();
    });
    expect(await codeOf(task as unknown as Promise<unknown>)).toBe("storage/canceled");
    expect(await codeOf(getMetadata(at))).toBe("storage/object-not-found");
  });

  test("metadata: changed, taken away, counted", async () => {
    const at = ref(boss, "oracle/meta.txt");
    await uploadString(at, "one", "raw", { contentLanguage: "en", customMetadata: { a: "1", b: "2" } });
    const changed = await updateMetadata(at, {
      contentLanguage: "de",
      cacheControl: "private, max-age=60",
      customMetadata: { a: "9", b: null as never },
    });
    expect(changed).toMatchObject({
      contentLanguage: "de",
      cacheControl: "private, max-age=60",
      metageneration: "2",
      customMetadata: { a: "9" },
    });
    const first = (await getMetadata(at)).generation;
    await uploadString(at, "two");
    const second = await getMetadata(at);
    expect(BigInt(second.generation)).toBeGreaterThan(BigInt(first));
    expect(second.metageneration).toBe("1");
  });

  test("lists by folder, with pages", async () => {
    for (const name of ["l/a.txt", "l/b.txt", "l/sub/c.txt", "l/sub/d.txt", "l/under_sub.txt"])
      await uploadString(ref(boss, name), name);
    const all = await listAll(ref(boss, "l"));
    expect(all.items.map((one: StorageReference) => one.fullPath)).toEqual(["l/a.txt", "l/b.txt", "l/under_sub.txt"]);
    expect(all.prefixes.map((one: StorageReference) => one.fullPath)).toEqual(["l/sub"]);
    const seen: string[] = [];
    for (let pageToken: string | undefined; ;) {
      const page = await list(ref(boss, "l"), { maxResults: 1, ...(pageToken && { pageToken }) });
      expect(page.items.length + page.prefixes.length).toBe(1);
      seen.push(...[...page.items, ...page.prefixes].map((one) => one.fullPath));
      pageToken = page.nextPageToken;
      if (!pageToken) break;
    }
    expect(seen.toSorted()).toEqual(["l/a.txt", "l/b.txt", "l/sub", "l/under_sub.txt"]);
    expect((await listAll(ref(pupil, "l"))).items).toEqual([]);
  });

  test("deleted is gone; errors carry the vendor's codes", async () => {
    const at = ref(boss, "oracle/gone.txt");
    await uploadString(at, "x");
    const link = await getDownloadURL(at);
    await deleteObject(at);
    expect(await codeOf(getMetadata(at))).toBe("storage/object-not-found");
    expect((await fetch(link)).status).toBe(404);
    expect(await codeOf(deleteObject(at))).toBe("storage/object-not-found");
    expect(await codeOf(uploadString(ref(pupil, "oracle/mine.txt"), "x"))).toBe("storage/unauthorized");
    await uploadString(at, "y");
    expect(await codeOf(getBytes(ref(pupil, "oracle/gone.txt")))).toBe("storage/object-not-found");
  });
});
