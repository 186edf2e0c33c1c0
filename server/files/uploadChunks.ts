import type { Readable } from "node:stream";
import type { Ctx } from "#server/core/http/http.ts";
import { Problem } from "#server/core/http/problem.ts";
import type { PartState } from "#server/core/storage/storage.ts";
import { isSameSum, newSums, storeSums, type Sums, sumsAt } from "#server/files/hashes.ts";
import { endUpload, findUpload, type Session } from "#server/files/uploads.ts";
import type { User } from "#shared/core/users.ts";

/** A request is aborted if it sends nothing for this long, in ms. */
const IDLE_TIMEOUT_MS = 60_000;

/** Bytes are stored in batches of this size: writing each piece of 64 KiB as it arrives takes three times as long. */
const BATCH_BYTES = 1024 ** 2;
/** The most pieces of a batch, however small they are. */
const BATCH_PIECES = 256;

/** Requests of this process that write to an upload, by upload id. */
const activeWrites = new Map<string, { stop: () => void; ended: Promise<unknown> }>();

type Chunk = {
  offset: number;
  body: Readable;
  /** Content-Length of the request; null if unknown. */
  length: number | null;
};

/**
 * Receives bytes of an upload and returns the total received. Bytes that arrive before a connection breaks are stored.
 * A newer request aborts an older one, so that a dead connection cannot block it. The last chunk may be sent again from
 * its start; its bytes are then compared with the stored ones.
 */
export async function receive(ctx: Ctx<User>, id: string, chunk: Chunk): Promise<number> {
  for (let previous = activeWrites.get(id); previous; previous = activeWrites.get(id)) {
    previous.stop();
    await previous.ended;
  }
  const work = writeChunk(ctx, id, chunk);
  const ended = work.catch(() => {});
  activeWrites.set(id, { stop: () => chunk.body.destroy(new Error("a newer request continues this upload")), ended });
  try {
    return await work;
  } finally {
    activeWrites.delete(id);
  }
}

async function writeChunk(ctx: Ctx<User>, id: string, { offset, body, length }: Chunk) {
  const session = await findUpload(ctx, id);
  if (session.status === "final") return session.received;
  if (session.status !== "active") throw new Problem(410, "files.uploadEnded");
  const { received, chunkStart, declaredSize } = session;
  if (offset !== received && offset !== chunkStart)
    throw new Problem(409, "files.wrongOffset", { values: { received, offset }, details: { received } });
  if (offset + (length ?? 0) > declaredSize) throw await tooLong(ctx, session);

  const cached = sumsAt(id, received);
  const initial = received === 0 ? newSums(declaredSize) : null;
  const sums: Sums | null = initial ?? (cached && cached.sums.copy());
  const sumsBeforeChunk = offset === received ? sums && sums.copy() : (cached?.sumsBeforeChunk ?? null);
  /** Sums that include the bytes that are sent again, to compare them with the stored ones. */
  const repeatedSums: Sums | null = offset < received && sumsBeforeChunk ? sumsBeforeChunk.copy() : null;
  let toSkip = received - offset;
  let total = received;
  let batch: Buffer[] = [];
  let batchBytes = 0;
  let written: Promise<unknown> = Promise.resolve();
  const writer = await ctx.storage.write(session.storageKey, received, session.partState);
  /** Stores and hashes the batch while the next one arrives. */
  const storeBatch = async () => {
    await written;
    if (batchBytes === 0) return;
    const parts = batch;
    // If the thread has ended, the bytes are hashed when the upload is finished.
    const hashed = sums?.update(parts).catch(() => {});
    written = writer.write(parts).finally(() => hashed);
    // Awaited later; without a handler, a rejection before then would be reported as unhandled.
    written.catch(() => {});
    total += batchBytes;
    batch = [];
    batchBytes = 0;
  };
  try {
    const failure = await (async () => {
      for await (const bytes of withIdleTimeout(body)) {
        const repeated = bytes.subarray(0, toSkip);
        if (repeated.length > 0) {
          toSkip -= repeated.length;
          if (repeatedSums) await repeatedSums.update([repeated]);
          if (toSkip === 0 && repeatedSums && sums && !(await isSameSum(repeatedSums, sums)))
            throw new Problem(409, "files.otherBytes");
        }
        const added = bytes.subarray(repeated.length);
        if (added.length === 0) continue;
        batch.push(added);
        batchBytes += added.length;
        if (total + batchBytes > declaredSize) throw await tooLong(ctx, session);
        if (batchBytes >= BATCH_BYTES || batch.length >= BATCH_PIECES) await storeBatch();
      }
    })().catch((error: unknown) => error as Error);
    if (failure instanceof Problem) throw failure;
    const unstored = await storeBatch()
      .then(() => written)
      .then(
        () => null,
        (error: unknown) => error as Error,
      );
    if (isDiskFull(failure) || isDiskFull(unstored)) throw new Problem(402, "files.diskFull");
    if (unstored) throw unstored;
    if (total > received) await saveProgress(ctx, session, total, offset, await writer.save());
    if (sums && sumsBeforeChunk && !sums.isLost())
      storeSums(id, { received: total, sums, chunkStart: offset, sumsBeforeChunk });
    if (failure)
      throw new Problem(400, "files.badRequest", {
        values: { reason: "the connection was cut" },
        details: { received: total },
      });
    return total;
  } finally {
    await written.catch(() => {});
    await writer.close();
  }
}

async function saveProgress(
  { db }: Ctx<User>,
  session: Session,
  received: number,
  chunkStart: number,
  state: PartState,
) {
  const updated = await db
    .updateTable("uploadSessions")
    .set({ received, chunkStart, partState: JSON.stringify(state), lastByteAt: new Date().toISOString() })
    .where("id", "=", session.id)
    .where("status", "=", "active")
    .where("received", "=", session.received)
    .executeTakeFirst();
  if (updated.numUpdatedRows === 0n)
    throw new Problem(409, "files.wrongOffset", { values: { received: "other bytes", offset: chunkStart } });
}

/**
 * The bytes of a request; a long pause aborts it like a broken connection. A request that is refused in the middle is
 * not destroyed, because the rest of its body must be read after the reply (unreadBody.ts).
 */
async function* withIdleTimeout(body: Readable): AsyncGenerator<Buffer> {
  const timer = setTimeout(() => body.destroy(new Error("no bytes within the idle timeout")), IDLE_TIMEOUT_MS);
  try {
    for await (const bytes of body.iterator({ destroyOnReturn: false })) {
      timer.refresh();
      yield bytes as Buffer;
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Ends an upload that sends more than it declared. */
async function tooLong(ctx: Ctx<User>, session: Session) {
  await endUpload(ctx, session, "cancelled");
  return new Problem(400, "files.tooLong", { values: { expected: session.declaredSize } });
}

const isDiskFull = (error: unknown) =>
  ["ENOSPC", "EDQUOT"].includes(String((error as NodeJS.ErrnoException | undefined)?.code));
