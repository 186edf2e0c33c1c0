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
import { BUCKET } from "#shared/files/files.ts";
import { freePort } from "#test/process.ts";
import { startS3 } from "#test/s3.ts";
import { start } from "#test/start.ts";

// Compatibility with the Firebase Storage client, on both storages

const s3 = await startS3();
afterAll(() => s3.stop());

describe.each([
  ["disk", {}],
  ["S3", { STORAGE_URL: s3.url }],
])("Firebase Storage client, files on %s", async (_, env) => {
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
  afterAll(() => Promise.all(apps.map((clientApp) => deleteApp(clientApp))));
  const storageOf = (clientApp: (typeof apps)[number], { token }: { token: string }) => {
    const storage = getStorage(clientApp);
    // The client supports other hosts only as an emulator; its token is replaced by that of the user.
    connectStorageEmulator(storage, "127.0.0.1", port);
    return Object.assign(storage, { _getAuthToken: () => Promise.resolve(token) });
  };
  const [adminStorage, learnerStorage] = [storageOf(apps[0], admin), storageOf(apps[1], learner)];
  const md5 = (bytes: Uint8Array) => createHash("md5").update(bytes).digest("base64");
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => "no error",
      (error: { code: string }) => error.code,
    );
  const waitUntil = async (condition: () => boolean) => {
    for (let tries = 0; !condition(); tries++) {
      if (tries > 400) throw new Error("timed out");
      await sleep(25);
    }
  };

  test("uploads bytes, text, base64 and data URLs in one request", async () => {
    const bytes = randomBytes(300_000);
    const object = ref(adminStorage, "client/bytes.bin");
    const { metadata } = await uploadBytes(object, bytes, {
      contentType: "application/x-test",
      customMetadata: { purpose: "document", note: "été" },
    });
    expect(metadata).toMatchObject({
      bucket: BUCKET,
      fullPath: "client/bytes.bin",
      name: "bytes.bin",
      size: 300_000,
      md5Hash: md5(bytes),
      contentType: "application/x-test",
      metageneration: "1",
      customMetadata: { purpose: "document", note: "été" },
    });
    expect(Buffer.from(await getBytes(object)).equals(bytes)).toBe(true);
    expect(Buffer.from(await getBytes(object, 1000)).equals(bytes.subarray(0, 1000))).toBe(true);
    for (const [format, text] of [
      ["raw", "Grüße"],
      ["base64", "R3LDvMOfZQ=="],
      ["base64url", "R3LDvMOfZQ"],
      ["data_url", "data:text/plain;base64,R3LDvMOfZQ=="],
    ] as const) {
      const stored = ref(adminStorage, `client/text-${format}.txt`);
      await uploadString(stored, text, format);
      expect(Buffer.from(await getBytes(stored)).toString()).toBe("Grüße");
    }
    const empty = ref(adminStorage, "client/empty");
    await uploadBytes(empty, new Uint8Array(0));
    expect((await getMetadata(empty)).size).toBe(0);
    expect((await getBytes(empty)).byteLength).toBe(0);
  });

  test("uploads a large file in chunks, paused and resumed", async () => {
    const bytes = randomBytes(13 * 1024 * 1024 + 77);
    const object = ref(adminStorage, "client/large file ünïcode.bin");
    const task = uploadBytesResumable(object, bytes, { customMetadata: { purpose: "document" } });
    const states = new Set<string>();
    let paused = false;
    task.on("state_changed", (shot) => {
      states.add(shot.state);
      if (!paused && shot.bytesTransferred > 700_000) paused = task.pause();
    });
    await waitUntil(() => task.snapshot.state === "paused");
    expect(task.resume()).toBe(true);
    const { metadata } = await task;
    expect([...states]).toEqual(expect.arrayContaining(["running", "paused"]));
    expect(metadata).toMatchObject({
      size: bytes.length,
      md5Hash: md5(bytes),
      fullPath: "client/large file ünïcode.bin",
    });
    const downloaded = await fetch(await getDownloadURL(object));
    expect(downloaded.status).toBe(200);
    expect(Buffer.from(await downloaded.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test("a cancelled upload leaves no object", async () => {
    const object = ref(adminStorage, "client/cancelled.bin");
    const task = uploadBytesResumable(object, randomBytes(6 * 1024 * 1024));
    task.on("state_changed", (shot) => {
      if (shot.bytesTransferred > 300_000) task.cancel();
    });
    expect(await codeOf(task as unknown as Promise<unknown>)).toBe("storage/canceled");
    expect(await codeOf(getMetadata(object))).toBe("storage/object-not-found");
  });

  test("changes and removes metadata", async () => {
    const object = ref(adminStorage, "client/meta.txt");
    await uploadString(object, "one", "raw", { contentLanguage: "en", customMetadata: { a: "1", b: "2" } });
    const changed = await updateMetadata(object, {
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
    const first = (await getMetadata(object)).generation;
    await uploadString(object, "two");
    const second = await getMetadata(object);
    expect(BigInt(second.generation)).toBeGreaterThan(BigInt(first));
    expect(second.metageneration).toBe("1");
  });

  test("lists by folder, with pages", async () => {
    for (const name of ["l/a.txt", "l/b.txt", "l/sub/c.txt", "l/sub/d.txt", "l/under_sub.txt"])
      await uploadString(ref(adminStorage, name), name);
    const all = await listAll(ref(adminStorage, "l"));
    expect(all.items.map((item: StorageReference) => item.fullPath)).toEqual(["l/a.txt", "l/b.txt", "l/under_sub.txt"]);
    expect(all.prefixes.map((item: StorageReference) => item.fullPath)).toEqual(["l/sub"]);
    const seen: string[] = [];
    for (let pageToken: string | undefined; ;) {
      const page = await list(ref(adminStorage, "l"), { maxResults: 1, ...(pageToken && { pageToken }) });
      expect(page.items.length + page.prefixes.length).toBe(1);
      seen.push(...[...page.items, ...page.prefixes].map((item) => item.fullPath));
      pageToken = page.nextPageToken;
      if (!pageToken) break;
    }
    expect(seen.toSorted()).toEqual(["l/a.txt", "l/b.txt", "l/sub", "l/under_sub.txt"]);
    expect((await listAll(ref(learnerStorage, "l"))).items).toEqual([]);
  });

  test("returns the error codes that the client expects", async () => {
    const object = ref(adminStorage, "client/gone.txt");
    await uploadString(object, "x");
    const link = await getDownloadURL(object);
    await deleteObject(object);
    expect(await codeOf(getMetadata(object))).toBe("storage/object-not-found");
    expect((await fetch(link)).status).toBe(404);
    expect(await codeOf(deleteObject(object))).toBe("storage/object-not-found");
    expect(await codeOf(uploadString(ref(learnerStorage, "client/mine.txt"), "x"))).toBe("storage/unauthorized");
    await uploadString(object, "y");
    expect(await codeOf(getBytes(ref(learnerStorage, "client/gone.txt")))).toBe("storage/object-not-found");
  });
});
