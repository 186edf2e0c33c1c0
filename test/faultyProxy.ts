import { createServer, type IncomingMessage, request as open, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "#web/core/api/http.ts";
import type { Outgoing, Transport } from "#web/core/upload/transport.ts";

export type Seen = {
  command: string;
  offset: number;
  bytes: number;
  contentType: string | undefined;
  authorization: string | undefined;
};
/** What goes wrong with one request on its way: cut after so many bytes, its answer late or lost, or answered by somebody else. */
export type Trouble =
  | {
      cutAfter?: number;
      delayMs?: number;
      loseAnswer?: boolean;
      answer?: { status: number; body?: unknown; headers?: Record<string, string> };
    }
  | undefined;

/** The bad line between a browser and a server on `port`: passes requests of the object protocol on, and what it is told to spoil not. */
export async function createProxy(port: number, trouble: (seen: Seen) => Trouble = () => undefined) {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const { socket } = request;
    void pass(request, response, () => socket.destroy()).catch(() => socket.destroy());
  });
  const pass = async (request: IncomingMessage, response: ServerResponse, hangUp: () => void) => {
    const { headers, method, url } = request;
    const one = (name: string) => headers[name] as string | undefined;
    const note: Seen = {
      command: one("x-goog-upload-command") ?? one("x-goog-upload-protocol") ?? method ?? "",
      offset: Number(one("x-goog-upload-offset") ?? 0),
      bytes: Number(one("content-length") ?? 0),
      contentType: one("content-type"),
      authorization: one("authorization"),
    };
    seen.push(note);
    const bad = trouble(note);
    if (bad?.answer) {
      for await (const _ of request) {
        /* thrown away */
      }
      const { status, body = {}, headers: more } = bad.answer;
      return response.writeHead(status, { "content-type": "application/json", ...more }).end(JSON.stringify(body));
    }
    if (bad?.cutAfter === 0) return hangUp();
    const onward = open({ port, host: "127.0.0.1", method, path: url, headers, agent: false });
    onward.on("error", hangUp);
    request.on("close", () => request.complete || onward.destroy());
    onward.on(
      "response",
      (reply) =>
        void (async () => {
          if (bad?.delayMs) await sleep(bad.delayMs);
          if (bad?.loseAnswer) return hangUp();
          response.writeHead(reply.statusCode ?? 0, reply.headers);
          reply.pipe(response);
        })(),
    );
    let passed = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) {
      const part = bad?.cutAfter === undefined ? chunk : chunk.subarray(0, Math.max(0, bad.cutAfter - passed));
      passed += chunk.length;
      await new Promise((next) => onward.write(part, next));
      if (bad?.cutAfter !== undefined && passed >= bad.cutAfter) break;
    }
    if (bad?.cutAfter === undefined) return onward.end();
    onward.destroy();
    hangUp();
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A `Send` for tests outside a browser: one connection a request, progress as XHR reports it. */
export const sendTo =
  (port: number): Transport =>
  ({ method, address, headers = {}, body, onProgress, signal }: Outgoing, token) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const lost = () =>
        reject(
          signal.aborted ? (signal.reason as Error) : new ApiError(0, { code: "core.network", error: "No answer." }),
        );
      const request = open(
        {
          port,
          host: "127.0.0.1",
          method,
          path: address,
          agent: false,
          signal,
          headers: {
            ...headers,
            ...(token && { authorization: `Bearer ${token}` }),
            "content-length": String(body?.size ?? 0),
          },
        },
        (reply) => {
          let text = "";
          reply
            .setEncoding("utf8")
            .on("data", (more: string) => {
              text += more;
            })
            .on("error", lost)
            .on("end", () => {
              resolve({
                status: reply.statusCode ?? 0,
                header: (name) => (reply.headers[name] as string | undefined) ?? null,
                body: text.startsWith("{") ? JSON.parse(text) : null,
              });
            });
        },
      );
      request.on("error", lost);
      const send = async () => {
        let sent = 0;
        for await (const part of (body?.stream() ?? []) as AsyncIterable<Uint8Array>) {
          if (request.destroyed) return;
          await new Promise((next) => request.write(part, next));
          onProgress?.((sent += part.length));
        }
        request.end();
      };
      void send().catch(lost);
    });
