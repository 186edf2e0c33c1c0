import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { Transform } from "node:stream";

type Moods = {
  /** Share of requests that are answered 503. */ busy: number;
  /** Share of requests with a body that is cut somewhere. */ cut: number;
  /** Bytes a second of one request. */ pace: number;
};

/**
 * A network like a train's between a client and a server on loopback: it cuts connections in the middle of a body, answers
 * 503, and is slow. The dice are a fixed series, so that a run can be repeated. `sent` counts body bytes that went through.
 */
export async function createBadNetwork(target: () => number, moods: Moods) {
  let seed = 20_261_121;
  const dice = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  const count = { sent: 0, cuts: 0, busy: 0 };
  const server = createServer((request, response) => {
    request.on("error", () => {});
    if (dice() < moods.busy) {
      count.busy++;
      request.resume();
      return response.writeHead(503, { "retry-after": "0" }).end();
    }
    const length = Number(request.headers["content-length"] ?? 0);
    const cutAfter = length > 100_000 && dice() < moods.cut ? Math.floor(dice() * length) : Number.POSITIVE_INFINITY;
    const { host: _, ...headers } = request.headers;
    const out = forward({ host: "127.0.0.1", port: target(), path: request.url, method: request.method, headers });
    let seen = 0;
    const pace = new Transform({
      transform(chunk: Buffer, __, done) {
        seen += chunk.length;
        count.sent += chunk.length;
        if (seen > cutAfter) {
          count.cuts++;
          out.destroy();
          request.socket.destroy();
          return;
        }
        setTimeout(() => done(null, chunk), Math.max(0, (chunk.length / moods.pace) * 1000 - 0.5));
      },
    });
    out.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.on("error", () => response.destroy());
    });
    out.on("error", () => response.destroy());
    response.on("close", () => out.destroy());
    pace.on("error", () => {});
    request.pipe(pace).pipe(out);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    count,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
