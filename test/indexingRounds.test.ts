import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { auth } from "#shared/auth/auth.ts";
import { documents } from "#shared/documents/documents.ts";
import { createClient } from "#test/client.ts";
import { scaled } from "#test/long.ts";
import { commitMeanwhile, openClass } from "#test/openClass.ts";
import { ADMIN, createProcess } from "#test/process.ts";

// Documents are deleted, archived, restored and replaced while they are indexed, and learners commit meanwhile

const ROUNDS = scaled(5, 200);
const LEARNERS = 5;
const server = await createProcess();
afterAll(() => server.remove());

/** Every request must be answered within this time; a server that hangs does not. */
const ANSWER_MS = 30_000;
const text = (round: number) =>
  Array.from(
    { length: 900 },
    (_, at) => `# Rule ${at}\n\nRule ${at}: ${"gate ladder harness ".repeat(20)}${round}.`,
  ).join("\n\n");
/** A request that others may have overtaken: a refusal with 404, 409 or 422 is accepted, a status above 499 is not. */
const answered = async <T>(call: Promise<T>) => {
  const late = sleep(ANSWER_MS).then(() => Promise.reject(new Error("no answer")));
  late.catch(() => {});
  return Promise.race([call, late]).catch((error: Error) => {
    if (/: 4\d\d /.test(error.message)) return null;
    throw error;
  });
};

test(
  "documents change in every way while they are indexed, and no request fails or hangs",
  { timeout: scaled(180_000, 3_600_000) },
  async () => {
    await server.start();
    const admin = createClient(server.url);
    admin.useToken((await admin.call(auth.signIn, { body: ADMIN })).token);
    const people = await openClass(server.url, LEARNERS);
    const commits = commitMeanwhile(people, 20);

    for (let round = 0; round < ROUNDS; round++) {
      const add = (documentId?: string) =>
        admin.call(documents.addText, { body: { title: `Rules ${round}`, text: text(round), documentId } as never });
      const { id } = await add();
      const params = { id };
      const isRead = async () => (await admin.call(documents.get, { params })).latest.state !== "waiting";
      if (round % 4 > 0) await expect.poll(isRead, { timeout: 60_000, interval: 10 }).toBe(true);
      await sleep(Math.random() * 200);
      const changes = [
        () => admin.call(documents.archive, { params }),
        () => admin.call(documents.restore, { params }),
        () => add(id),
        () => admin.call(documents.indexAgain, { params: { id, number: 1 } as never }),
        () => admin.call(documents.publish, { params: { id, number: 1 } as never }),
      ];
      await Promise.all(changes.toSorted(() => Math.random() - 0.5).map((change) => answered(change())));
      // Every third document stays and is finished.
      if (round % 3 > 0) {
        await answered(admin.call(documents.remove, { params }));
        expect(await answered(admin.call(documents.get, { params }))).toBeNull();
      }
    }
    const { refused } = await commits.stop();
    for (const { writer } of people) await expect.poll(() => writer.flush(), { timeout: 60_000 }).toBe(true);
    expect(refused).toBe(0);

    const unfinished = `select id
      from document_versions
      where state in ('waiting', 'checking', 'reading', 'splitting', 'indexing', 'testing')`;
    await expect
      .poll(() => server.query(unfinished), { timeout: scaled(120_000, 1_200_000), interval: 500 })
      .toEqual([]);
    const orphans = await server.query(
      "select id from passages where version_id not in (select id from document_versions)",
    );
    expect(orphans).toEqual([]);
    await server.stop();
  },
);
