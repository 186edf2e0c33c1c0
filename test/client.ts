import { setTimeout as sleep } from "node:timers/promises";
import { type CourseDetail, courses } from "#shared/courses/courses.ts";
import { OBJECTS_PATH, upload } from "#shared/files/files.ts";
import type { Commit, Launch, Receipt, SessionEvent } from "#shared/player/player.ts";
import { player, SESSION_HEADER } from "#shared/player/player.ts";
import type { Contract, Reply, Sent } from "#shared/core/route.ts";

/** A multipart upload of the object protocol: headers, and a body with metadata and bytes. */
export function multipart(description: object, bytes: Uint8Array) {
  const boundary = `part-${crypto.randomUUID()}`;
  const head = `--${boundary}\r\nContent-Type: application/json; charset=utf-8\r\n\r\n${JSON.stringify(description)}\r\n--${boundary}\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--`)]);
  return {
    headers: { [upload.protocol]: "multipart", "content-type": `multipart/related; boundary=${boundary}` },
    body,
  };
}

const MAX_TRIES = 10;
/** Sends again, after the pause that a server asks for which has too much to do: as browsers do. */
async function patiently(send: () => Promise<Response>) {
  for (let tries = 1; ; tries++) {
    const reply = await send();
    if (reply.status !== 503 || !reply.headers.has("retry-after") || tries === MAX_TRIES) return reply;
    await reply.body?.cancel();
    await sleep(Number(reply.headers.get("retry-after")) * 1000);
  }
}

/** Calls a server over the network by contract. Throws if the status is not 2xx, with the body of the reply. */
export function createClient(url: string) {
  let token = "";
  const call = async <C extends Contract>(
    contract: C,
    ...[sent]: object extends Sent<C> ? [Sent<C>?] : [Sent<C>]
  ): Promise<Reply<C>> => {
    const {
      params = {},
      query = {},
      body,
    } = (sent ?? {}) as { params?: Record<string, string>; query?: Record<string, string>; body?: unknown };
    const path = contract.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
    const search = new URLSearchParams(query);
    const send = () =>
      fetch(`${url}${path}${search.size > 0 ? `?${search}` : ""}`, {
        method: contract.method,
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    const reply = await patiently(send);
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${contract.method} ${path}: ${reply.status} ${text}`);
    return (text ? JSON.parse(text) : undefined) as Reply<C>;
  };
  return {
    call,
    useToken: (next: string) => {
      token = next;
    },
    /** Uploads a package in one request and imports it. */
    async upload(name: string, bytes: Uint8Array, courseId?: string) {
      const path = `courses/${crypto.randomUUID()}/package.zip`;
      const sent = multipart({ contentType: "application/zip", metadata: { purpose: "course" } }, bytes);
      const stored = await fetch(`${url}${OBJECTS_PATH}?name=${encodeURIComponent(path)}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, ...sent.headers },
        body: sent.body as never,
      });
      if (!stored.ok)
        return { status: stored.status, body: (await stored.json()) as CourseDetail & { error?: string } };
      const reply = await fetch(`${url}${courses.importPackage.path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ path, name, courseId }),
      });
      return { status: reply.status, body: (await reply.json()) as CourseDetail & { error?: string } };
    },
  };
}

/**
 * Saves like a learner's browser: numbers events, keeps them until they are acknowledged, and sends them in order,
 * retrying until the server replies. `acked`: the last event the server has confirmed as stored.
 */
export function createWriter(url: string, session: Pick<Launch, "sessionId" | "token">) {
  let seq = 0;
  let acked = 0;
  let held: SessionEvent[] = [];
  const refusals: number[] = [];
  const address = `${url}${player.commit.path.replace(":id", session.sessionId)}`;
  return {
    acked: () => acked,
    held: () => held.length,
    /** The statuses of answers that were no receipt. */
    refusals: () => refusals,
    last: () => seq,
    add(parts: Omit<SessionEvent, "seq" | "t">[]) {
      for (const part of parts) held.push({ seq: ++seq, t: seq * 100, ...part });
    },
    /** Sends once. True if all pending events were acknowledged. */
    async flush(extra: Partial<Commit> = {}): Promise<boolean> {
      try {
        const reply = await fetch(address, {
          method: "POST",
          signal: AbortSignal.timeout(20_000),
          headers: { "content-type": "application/json", [SESSION_HEADER]: session.token },
          body: JSON.stringify({ events: held.slice(0, 500), activeMs: seq * 100, ...extra }),
        });
        const body = (await reply.json()) as Receipt;
        if (!reply.ok) {
          refusals.push(reply.status);
          return false;
        }
        acked = Math.max(acked, body.ackSeq);
        held = held.filter((event) => event.seq > acked);
      } catch {
        return false;
      }
      return held.length === 0;
    },
  };
}
