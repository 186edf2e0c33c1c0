import { createServer, type IncomingMessage, request as open, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "#web/core/http/http.ts";
import type { TransportRequest, Transport } from "#web/core/upload/transport.ts";

export type SeenRequest = {
  command: string;
  offset: number;
  bytes: number;
  contentType: string | undefined;
  authorization: string | undefined;
};
/** A fault of one request: cut after some bytes, reply delayed or lost, or replied to by the proxy. */
export type Fault =
  | {
      cutAfter?: number;
      delayMs?: number;
      loseReply?: boolean;
      reply?: { status: number; body?: unknown; headers?: Record<string, string> };
    }
  | undefined;

/**
 * A proxy to the server on `port` that forwards requests of the object protocol, with the faults that `faultOf`
 * returns.
 */
export async function createProxy(port: number, faultOf: (seen: SeenRequest) => Fault = () => undefined) {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const { socket } = request;
    void forward(request, response, () => socket.destroy()).catch(() => socket.destroy());
  });
  const forward = async (request: IncomingMessage, response: ServerResponse, hangUp: () => void) => {
    const { headers, method, url } = request;
    const headerOf = (name: string) => headers[name] as string | undefined;
    const current: SeenRequest = {
      command: headerOf("x-goog-upload-command") ?? headerOf("x-goog-upload-protocol") ?? method ?? "",
      offset: Number(headerOf("x-goog-upload-offset") ?? 0),
      bytes: Number(headerOf("content-length") ?? 0),
      contentType: headerOf("content-type"),
      authorization: headerOf("authorization"),
    };
    seen.push(current);
    const fault = faultOf(current);
    if (fault?.reply) {
      for await (const _ of request) {
        /* discarded */
      }
      const { status, body = {}, headers: extra } = fault.reply;
      return response.writeHead(status, { "content-type": "application/json", ...extra }).end(JSON.stringify(body));
    }
    if (fault?.cutAfter === 0) return hangUp();
    const outgoing = open({ port, host: "127.0.0.1", method, path: url, headers, agent: false });
    outgoing.on("error", hangUp);
    request.on("close", () => request.complete || outgoing.destroy());
    outgoing.on(
      "response",
      (reply) =>
        void (async () => {
          if (fault?.delayMs) await sleep(fault.delayMs);
          if (fault?.loseReply) return hangUp();
          response.writeHead(reply.statusCode ?? 0, reply.headers);
          reply.pipe(response);
        })(),
    );
    let forwarded = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) {
      const part = fault?.cutAfter === undefined ? chunk : chunk.subarray(0, Math.max(0, fault.cutAfter - forwarded));
      forwarded += chunk.length;
      await new Promise((next) => outgoing.write(part, next));
      if (fault?.cutAfter !== undefined && forwarded >= fault.cutAfter) break;
    }
    if (fault?.cutAfter === undefined) return outgoing.end();
    outgoing.destroy();
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

/** A transport for tests outside a browser: one connection per request, progress like XHR. */
export const createTransport =
  (port: number): Transport =>
  ({ method, address, headers = {}, body, onProgress, signal }: TransportRequest, token) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const fail = () =>
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
            .on("data", (part: string) => {
              text += part;
            })
            .on("error", fail)
            .on("end", () => {
              resolve({
                status: reply.statusCode ?? 0,
                header: (name) => (reply.headers[name] as string | undefined) ?? null,
                body: text.startsWith("{") ? JSON.parse(text) : null,
              });
            });
        },
      );
      request.on("error", fail);
      const send = async () => {
        let sent = 0;
        for await (const part of (body?.stream() ?? []) as AsyncIterable<Uint8Array>) {
          if (request.destroyed) return;
          await new Promise((next) => request.write(part, next));
          onProgress?.((sent += part.length));
        }
        request.end();
      };
      void send().catch(fail);
    });
