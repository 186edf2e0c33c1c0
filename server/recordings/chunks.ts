import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { conflict, Problem } from "#server/core/http/problem.ts";
import { isOpen } from "#server/recordings/permission.ts";
import { MAX_CHUNK_BYTES_INFLATED, MAX_CHUNKS, MAX_RECORDING_BYTES } from "#shared/recordings/recordingLimits.ts";

/** A chunk may arrive together with the one before it, which is stored only a moment later. */
const MAX_TRIES = 3;

const gunzipAsync = promisify(gunzip);

/**
 * Stores a chunk of a recording and returns the number of the next one, also if the chunk is already stored. Throws 409
 * if chunks before it are missing, 403 if the recording has ended, 413 if it is full, 422 if the body is not gzip or
 * inflates too much. The content is not checked: what shows it must not trust it.
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
 * The number of the next chunk; undefined if nothing was stored. The statement that writes also checks permission and
 * size, so that nothing is stored after the answer to a withdrawal.
 */
async function insertChunk(db: Db, sessionId: string, number: number, body: Buffer) {
  const { rows } = await sql<{ next: number }>`
    with grown as (
      update recordings
      set chunks = recordings.chunks + 1,
        bytes = recordings.bytes + ${body.length}
      from sessions
      where recordings.session_id = ${sessionId}
        and sessions.id = ${sessionId}
        and recordings.chunks = ${number}
        and recordings.chunks < ${MAX_CHUNKS}
        and recordings.bytes + ${body.length} <= ${MAX_RECORDING_BYTES}
        and ${sql.raw(isOpen)}
      returning recordings.session_id, recordings.chunks
    ),
    stored as (
      insert into recording_chunks (session_id, number, body)
      select session_id, ${number}, ${body}
      from grown
    )
    select chunks as next
    from grown`.execute(db);
  return rows[0]?.next;
}

/** The number of the next chunk if this one is stored; null if it can be stored now; otherwise throws the reason. */
async function findStored(db: Db, sessionId: string, number: number, { length }: Buffer) {
  const { rows } = await sql<{ next: number; full: boolean }>`
    select
      recordings.chunks as next,
      recordings.chunks >= ${MAX_CHUNKS} or recordings.bytes + ${length} > ${MAX_RECORDING_BYTES} as full
    from recordings
    join sessions on sessions.id = recordings.session_id
    where sessions.id = ${sessionId}
      and ${sql.raw(isOpen)}`.execute(db);
  const [recording] = rows;
  if (!recording) throw new Problem(403, "recordings.ended");
  if (number < recording.next) return recording.next;
  if (number > recording.next) throw conflict("recordings.gap", { next: recording.next });
  if (recording.full) throw new Problem(413, "recordings.full");
  return null;
}
