import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { conflict, Problem } from "#server/core/http/problem.ts";
import { isOpen } from "#server/recordings/permission.ts";
import { MAX_CHUNK_BYTES_INFLATED, MAX_CHUNKS, MAX_RECORDING_BYTES } from "#shared/recordings/recordingLimits.ts";

/** A chunk that arrives together with the one before it may find that one stored only afterwards. */
const MAX_TRIES = 3;

const gunzipAsync = promisify(gunzip);

/**
 * Stores one chunk of a recording and returns the number of the next one. A chunk that was stored before is
 * acknowledged again; 409 if chunks before it are missing, 403 if the recording has ended, 413 if it is full, 422 if
 * the body is not gzip or inflates to too much. The events are not read here: whoever shows them must not trust them.
 */
export async function storeChunk(db: Db, sessionId: string, number: number, body: Buffer): Promise<number> {
  await gunzipAsync(body, { maxOutputLength: MAX_CHUNK_BYTES_INFLATED }).catch(() => {
    throw new Problem(422, "recordings.broken");
  });
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const next = (await insertChunk(db, sessionId, number, body)) ?? (await findStored(db, sessionId, number, body));
    if (next !== null) return next;
  }
  throw new Problem(503, "core.unavailable");
}

/**
 * The number of the next chunk; undefined if nothing was stored. Permission and size are judged in the statement that
 * writes, so nothing is stored once a withdrawal was answered.
 */
async function insertChunk(db: Db, sessionId: string, number: number, body: Buffer) {
  const { rows } = await sql<{ next: number }>`
    with grown as (
      update recordings r set chunks = r.chunks + 1, bytes = r.bytes + ${body.length} from sessions s
      where r.session_id = ${sessionId} and s.id = ${sessionId} and r.chunks = ${number} and r.chunks < ${MAX_CHUNKS}
        and r.bytes + ${body.length} <= ${MAX_RECORDING_BYTES} and ${sql.raw(isOpen)}
      returning r.session_id, r.chunks
    ), stored as (
      insert into recording_chunks (session_id, number, body) select session_id, ${number}, ${body} from grown
    )
    select chunks as next from grown`.execute(db);
  return rows[0]?.next;
}

/**
 * The number of the next chunk if this one is stored already, null if it could be stored by now; otherwise throws why
 * not.
 */
async function findStored(db: Db, sessionId: string, number: number, { length }: Buffer) {
  const { rows } = await sql<{ next: number; full: boolean }>`
    select r.chunks as next, r.chunks >= ${MAX_CHUNKS} or r.bytes + ${length} > ${MAX_RECORDING_BYTES} as full
    from recordings r join sessions s on s.id = r.session_id where s.id = ${sessionId} and ${sql.raw(isOpen)}`.execute(
    db,
  );
  const [found] = rows;
  if (!found) throw new Problem(403, "recordings.ended");
  if (number < found.next) return found.next;
  if (number > found.next) throw conflict("recordings.gap", { next: found.next });
  if (found.full) throw new Problem(413, "recordings.full");
  return null;
}
