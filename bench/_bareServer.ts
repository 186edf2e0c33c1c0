import { createServer } from "node:http";
import pg from "pg";

/**
 * The baseline of bench/requests.ts, a process of its own: a bare server of Node that answers with one row, found by a
 * named statement.
 */
const pool = new pg.Pool({ ...(JSON.parse(process.argv[2] as string) as pg.PoolConfig), max: 20 });
const { rows } = await pool.query<{ id: string }>("select id from users limit 1");
const lookup = { name: "user", text: "select id, email, name from users where id = $1", values: [rows[0]?.id] };
const server = createServer((_, reply) => {
  void pool.query(lookup).then(({ rows: [user] }) => {
    const body = JSON.stringify(user);
    reply.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) }).end(body);
  });
});
// A connection that is idle while something else is measured must not be closed.
server.keepAliveTimeout = 600_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address() as { port: number };
  process.stdout.write(`${address.port}\n`);
});
