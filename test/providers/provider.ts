import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { anthropic } from "#test/providers/anthropic.ts";
import { google } from "#test/providers/google.ts";
import { openai } from "#test/providers/openai.ts";
import { makeTone } from "#server/connectors/voice/voiceTest.ts";
import { type Asked, DEFAULT_TEXT, HEARD, type Script, type StandIn, TOKENS } from "#test/providers/script.ts";

const standIns = { openai, anthropic, google };
export type ProtocolName = keyof typeof standIns;

/**
 * A request that a stand-in has got. `pieces`: those of the answer that were sent; `closed` settles when the connection
 * ends.
 */
export type Seen = {
  path: string;
  headers: IncomingMessage["headers"];
  body: unknown;
  asked: Asked | null;
  /** Of a recording: the file that was sent. */
  recording: File | null;
  pieces: number;
  isAborted: boolean;
  closed: Promise<void>;
};

/**
 * A server on loopback that speaks the protocol of a provider, in place of it. It answers as `next` says, then as
 * `always` says; requests with another key than `key` get 401 and a text that repeats theirs.
 */
export async function startProvider(protocol: ProtocolName, key = "sk-stand-in-1234567890abcd", port = 0) {
  const standIn = standIns[protocol];
  const scripts: Script[] = [];
  const requests: Seen[] = [];
  let usual: Script = {};
  let expectedKey: string | null = key;

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const kindOf = (path: string): "heard" | "audio" | "other" => {
    if (path === standIn.voice?.transcription) return "heard";
    return path === standIn.voice?.speech ? "audio" : "other";
  };
  /** The next script that fits: what is heard is for a recording only, sound for speech only, text for neither. */
  const takeScript = (kind: ReturnType<typeof kindOf>) => {
    const fits = ({ heard, audio, text }: Script) => {
      if (heard !== undefined) return kind === "heard";
      if (audio !== undefined) return kind === "audio";
      return text === undefined || kind === "other";
    };
    const at = scripts.findIndex(fits);
    return at < 0 ? null : scripts.splice(at, 1)[0];
  };
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const body = await readBody(request);
    const path = (request.url ?? "").replace(/^\/v1/, "");
    const asked = standIn.readChat(path, body);
    const closed = Promise.withResolvers<void>();
    const seen: Seen = {
      path,
      headers: request.headers,
      body,
      asked,
      recording: body instanceof FormData ? (body.get("file") as File) : null,
      pieces: 0,
      isAborted: false,
      closed: closed.promise,
    };
    requests.push(seen);
    response.on("close", () => {
      seen.isAborted = !response.writableFinished;
      closed.resolve();
    });
    const isVoice = path === standIn.voice?.transcription || path === standIn.voice?.speech;
    const isCall = asked !== null || isVoice || standIn.embeddings?.path.test(path);
    const script = (isCall && takeScript(kindOf(path))) || usual;
    const given = standIn.keyOf(request.headers);
    if (expectedKey !== null && given !== expectedKey) return fail(response, 401, given);
    if (script.status && script.refusal !== undefined)
      return response.writeHead(script.status, script.refusalHeaders).end(script.refusal);
    if (script.status) return fail(response, script.status, given, script.refusalHeaders);
    if (script.hangs) return;
    if (path === standIn.models.path) return sendJson(response, 200, standIn.models.reply);
    if (script.embeddings && standIn.embeddings?.path.test(path)) {
      if (script.firstDelay) await wait(script.firstDelay);
      const reply = script.embeddings((body as { input: string[] }).input);
      return response.writeHead(200, { "content-type": "application/json" }).end(reply);
    }
    if (standIn.embeddings?.path.test(path))
      return sendJson(response, 200, standIn.embeddings.reply(body, script.size ?? 8));
    if (path === standIn.voice?.transcription) return write(response, script);
    if (path === standIn.voice?.speech) return speak(response, script, seen);
    if (!asked) return fail(response, 404, given);
    if (script.instead === "html")
      return response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Sign in</title>");
    if (script.instead === "json" || !asked.isStream)
      return sendJson(response, 200, { choices: [{ message: { content: "not a stream" }, finish_reason: "stop" }] });
    await stream(standIn, response, asked, script, seen);
  }

  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return {
    protocol,
    /** The base URL that an admin enters. */
    url,
    key,
    requests,
    /** Requests for chat. */
    chats: () => requests.filter(({ asked }) => asked !== null),
    /** Scripts of the next calls, in order; each call takes the first that fits it. */
    next: (...next: Script[]) => scripts.push(...next),
    always: (script: Script) => {
      usual = script;
    },
    /** Null accepts any key, and none. */
    expectKey: (next: string | null) => {
      expectedKey = next;
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
export type Provider = Awaited<ReturnType<typeof startProvider>>;

const sendJson = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
const fail = (response: ServerResponse, status: number, key: string, headers: Record<string, string> = {}) =>
  response
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(JSON.stringify({ error: { message: `Refused with the key ${key}`, type: "error", code: status } }));

/** JSON, or the fields of a form. */
async function readBody(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const bytes of request) parts.push(bytes as Buffer);
  const bytes = Buffer.concat(parts);
  const type = request.headers["content-type"] ?? "";
  if (type.startsWith("multipart/form-data"))
    return new Response(bytes, { headers: { "content-type": type } }).formData();
  return bytes.length > 0 ? JSON.parse(bytes.toString()) : null;
}

async function write(response: ServerResponse, { heard = HEARD, seconds, instead, delay }: Script) {
  if (delay) await wait(delay);
  if (instead) return response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html>");
  const usage = seconds === undefined ? null : { type: "duration", seconds };
  sendJson(response, 200, { text: heard, ...(usage && { usage }) });
}

async function speak(response: ServerResponse, { audio, instead, delay, cutAfter }: Script, seen: Seen) {
  if (instead) return sendJson(response, 200, { error: "not audio" });
  response.writeHead(200, { "content-type": "audio/mpeg" });
  for await (const bytes of audio ?? [makeTone()]) {
    if (cutAfter === seen.pieces) return response.destroy();
    await new Promise<unknown>((resolve) => response.write(bytes, resolve));
    seen.pieces++;
    if (delay) await wait(delay);
    if (response.destroyed) return;
  }
  response.end();
}

async function stream(standIn: StandIn, response: ServerResponse, asked: Asked, script: Script, seen: Seen) {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  response.flushHeaders();
  const write = async (message: string) => {
    const bytes = Buffer.from(script.crlf ? message.replaceAll("\n", "\r\n") : message);
    const step = script.splitBytes ?? bytes.length;
    for (let at = 0; at < bytes.length; at += step) {
      await new Promise<unknown>((resolve) => response.write(bytes.subarray(at, at + step), resolve));
      if (response.destroyed) return;
    }
  };
  const usage = script.noUsage ? null : (script.usage ?? TOKENS);
  if (script.firstDelay) await wait(script.firstDelay);
  for (const message of standIn.first(usage !== null)) await write(message);
  if (script.toolInput) for (const message of standIn.toolInput?.(script.toolInput) ?? []) await write(message);
  const isTool = asked.tool !== null && !script.noTools;
  if (isTool && asked.tool) for (const message of standIn.tool(asked.tool)) await write(message);
  for (const piece of isTool ? [] : piecesOf(asked, script)) {
    if (script.cutAfter === seen.pieces) return response.destroy();
    if (script.failsAfter === seen.pieces) {
      await write(standIn.failure());
      return response.end();
    }
    await write(standIn.piece(piece, asked.hasSchema));
    seen.pieces++;
    if (script.malformed) await write('data: {"choices": [{\n\n');
    if (script.delay) await wait(script.delay);
    if (response.destroyed) return;
  }
  for (const message of standIn.last(script.finish ?? "stop", usage, !script.noFinish)) await write(message);
  response.end();
}

function piecesOf(asked: Asked, { text, obeys, pieceChars, structured }: Script) {
  if (asked.hasSchema) {
    const said = typeof structured === "function" ? structured(asked.text) : structured;
    return (said ?? '{"colour": "blue"}').match(/.{1,6}/gsu) ?? [];
  }
  if (obeys && pieceChars) return asked.text.match(new RegExp(`.{1,${pieceChars}}`, "gsu")) ?? [];
  if (obeys) return [asked.text];
  return text ?? DEFAULT_TEXT;
}
