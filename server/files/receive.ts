import type { Readable } from "node:stream";
import type { Ctx } from "#server/core/http.ts";
import { Problem } from "#server/core/problem.ts";
import type { PartState } from "#server/core/storage.ts";
import { addTo, copySums, isSameSum, keepSums, newSums, type Sums, sumsAt } from "#server/files/hashes.ts";
import { endUpload, findUpload, type Session } from "#server/files/uploads.ts";
import type { User } from "#shared/users.ts";

/** A sender that is silent for so long has gone away, in ms. */
const SILENCE_MS = 60_000;

/** Who is writing which upload in this process. */
const writing = new Map<string, { stop: () => void; ended: Promise<unknown> }>();

type Chunk = { offset: number; body: Readable; /** Bytes that the request announced. */ length: number | null };

/**
 * Takes in bytes of an upload and returns how many have arrived in all. What came before a cut is kept. The newest request
 * wins: a connection that died on the way cannot block its successor. Bytes may be sent again from the place where the
 * last chunk began, and are then compared with the ones that are there.
 */
export async function receive(ctx: Ctx<User>, id: string, chunk: Chunk): Promise<number> {
  for (let other = writing.get(id); other; other = writing.get(id)) {
    other.stop();
    await other.ended;
  }
  const work = takeIn(ctx, id, chunk);
  const ended = work.catch(() => {});
  writing.set(id, { stop: () => chunk.body.destroy(new Error("a newer request goes on with this upload")), ended });
  try {
    return await work;
  } finally {
    writing.delete(id);
  }
}

async function takeIn(ctx: Ctx<User>, id: string, { offset, body, length }: Chunk) {
  const session = await findUpload(ctx, id);
  if (session.status === "final") return session.received;
  if (session.status !== "active") throw new Problem(410, "files.uploadEnded");
  const { received, chunkStart, declaredSize } = session;
  if (offset !== received && offset !== chunkStart)
    throw new Problem(409, "files.wrongOffset", { values: { received, offset }, details: { received } });
  if (offset + (length ?? 0) > declaredSize) throw await tooLong(ctx, session);

  const known = sumsAt(id, received);
  const first = received === 0 ? newSums() : null;
  const now: Sums | null = first ?? (known && copySums(known.now));
  const before = offset === received ? now && copySums(now) : (known?.before ?? null);
  const again: Sums | null = offset < received && before ? copySums(before) : null;
  let toSkip = received - offset;
  let total = received;
  const writer = await ctx.storage.write(session.storageKey, received, session.partState as PartState);
  try {
    const broken = await (async () => {
      for await (const bytes of awake(body)) {
        const old = bytes.subarray(0, toSkip);
        if (old.length > 0) {
          toSkip -= old.length;
          if (again) addTo(again, old);
          if (toSkip === 0 && again && now && !isSameSum(again, now)) throw new Problem(409, "files.otherBytes");
        }
        const fresh = bytes.subarray(old.length);
        if (fresh.length === 0) continue;
        total += fresh.length;
        if (total > declaredSize) throw await tooLong(ctx, session);
        // The disk and the sums work side by side; the next bytes wait for both.
        const written = writer.write(fresh);
        if (now) addTo(now, fresh);
        await written;
      }
    })().catch((error: unknown) => error as Error);
    if (broken instanceof Problem) throw broken;
    if (isFull(broken)) throw new Problem(402, "files.diskFull");
    if (total > received) await keep(ctx, session, total, offset, await writer.save());
    if (now && before) keepSums(id, { at: total, now, chunkStart: offset, before });
    if (broken)
      throw new Problem(400, "files.badRequest", {
        values: { reason: "the connection was cut" },
        details: { received: total },
      });
    return total;
  } finally {
    await writer.close();
  }
}

async function keep({ db }: Ctx<User>, session: Session, received: number, chunkStart: number, state: PartState) {
  const kept = await db
    .updateTable("uploadSessions")
    .set({ received, chunkStart, partState: JSON.stringify(state), lastByteAt: new Date().toISOString() })
    .where("id", "=", session.id)
    .where("status", "=", "active")
    .where("received", "=", session.received)
    .executeTakeFirst();
  if (kept.numUpdatedRows === 0n)
    throw new Problem(409, "files.wrongOffset", { values: { received: "other bytes", offset: chunkStart } });
}

/** The bytes of a request; silence ends it like a cut. */
async function* awake(body: Readable): AsyncGenerator<Buffer> {
  const timer = setTimeout(() => body.destroy(new Error("the sender fell silent")), SILENCE_MS);
  try {
    for await (const bytes of body) {
      timer.refresh();
      yield bytes as Buffer;
    }
  } finally {
    clearTimeout(timer);
  }
}

async function tooLong(ctx: Ctx<User>, session: Session) {
  await endUpload(ctx, session, "cancelled");
  return new Problem(400, "files.tooLong", { values: { expected: session.declaredSize } });
}

const isFull = (error: unknown) =>
  ["ENOSPC", "EDQUOT"].includes(String((error as NodeJS.ErrnoException | undefined)?.code));
