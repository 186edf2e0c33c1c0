import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { Transform } from "node:stream";

type Faults = {
  /** Share of requests answered with 503. */
  busy: number;
  /** Share of large request bodies that are cut at a random point. */
  cut: number;
  /** Bytes per second and request. */
  pace: number;
};

/**
 * An unreliable network between a client and a server on loopback: cuts connections within a body, replies 503, and is
 * slow. The random numbers are a fixed series, so that runs are repeatable. `sent` counts the forwarded body bytes.
 */
export async function createBadNetwork(target: () => number, faults: Faults) {
  let seed = 20_261_121;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  const count = { sent: 0, cuts: 0, busy: 0 };
  const server = createServer((request, response) => {
    request.on("error", () => {});
    if (random() < faults.busy) {
      count.busy++;
      request.resume();
      return response.writeHead(503, { "retry-after": "0" }).end();
    }
    const length = Number(request.headers["content-length"] ?? 0);
    const cutAfter =
      length > 100_000 && random() < faults.cut ? Math.floor(random() * length) : Number.POSITIVE_INFINITY;
    const { host: _, ...headers } = request.headers;
    const outgoing = forward({ host: "127.0.0.1", port: target(), path: request.url, method: request.method, headers });
    let forwarded = 0;
    const pace = new Transform({
      transform(chunk: Buffer, __, done) {
        forwarded += chunk.length;
        count.sent += chunk.length;
        if (forwarded > cutAfter) {
          count.cuts++;
          outgoing.destroy();
          request.socket.destroy();
          return;
        }
        setTimeout(() => done(null, chunk), Math.max(0, (chunk.length / faults.pace) * 1000 - 0.5));
      },
    });
    outgoing.on("response", (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
      reply.on("error", () => response.destroy());
    });
    outgoing.on("error", () => response.destroy());
    response.on("close", () => outgoing.destroy());
    pace.on("error", () => {});
    request.pipe(pace).pipe(outgoing);
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
