import { createServer, type IncomingMessage, request as open, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A load balancer as in docs/operations.md: each request goes to the next node, and to another one if a node accepts no
 * connection. Sessions are not tied to a node. `pin` sends all requests to one node until it is called without an
 * argument.
 */
export async function startBalancer() {
  let ports: number[] = [];
  let next = 0;
  let pinned: number | undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const first = pinned ?? next++;
      const order = ports.map((_, index) => ports[(first + index) % ports.length] as number);
      forward(request, Buffer.concat(chunks), response, order);
    });
  });
  // An idle connection that the balancer closed while a test reuses it would look like a failure of the node.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    balance: (nodes: number[]) => {
      ports = nodes;
    },
    pin: (node?: number) => {
      pinned = node;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Sends a request to the first of `ports` that accepts it. Only a refused connection is repeated: the request had no
 * effect.
 */
function forward({ method, url, headers }: IncomingMessage, body: Buffer, response: ServerResponse, ports: number[]) {
  const [port, ...others] = ports;
  if (port === undefined) return response.writeHead(502).end();
  const sent = open(
    {
      host: "127.0.0.1",
      port,
      method,
      path: url,
      agent: false,
      headers: { ...headers, "x-forwarded-for": "203.0.113.7" },
    },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.on("error", () => response.destroy());
    },
  );
  sent.on("error", (error: NodeJS.ErrnoException) => {
    if (response.headersSent) return response.destroy();
    if (error.code === "ECONNREFUSED")
      return forward({ method, url, headers } as IncomingMessage, body, response, others);
    return response.writeHead(502).end();
  });
  sent.end(body);
  return undefined;
}
