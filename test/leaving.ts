import { connect } from "node:net";
import { promisify } from "node:util";
import { sql } from "kysely";
import { expect } from "vitest";
import type { start } from "#test/start.ts";

/** Connections that have sent the beginning of a request. */
export async function beginRequests({ app }: Pick<Awaited<ReturnType<typeof start>>, "app">, texts: string[]) {
  if (!app.server.listening) await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as { port: number };
  return texts.map((text) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(text);
    return socket;
  });
}

/** The senders of these requests leave while the server waits for a table. */
export async function leaveWhileLocked(
  server: Pick<Awaited<ReturnType<typeof start>>, "app" | "db">,
  table: string,
  texts: string[],
) {
  const countConnections = () => promisify(server.app.server.getConnections.bind(server.app.server))();
  await server.db.transaction().execute(async (tx) => {
    await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(tx);
    const open = await beginRequests(server, texts);
    const countWaiting = async () => {
      const { rows } = await sql<{ waiting: number }>`
        select count(*)::int as waiting
        from pg_stat_activity
        where wait_event_type = 'Lock'
          and datname = current_database()`.execute(tx);
      return rows[0]?.waiting;
    };
    await expect.poll(countWaiting, { timeout: 10_000 }).toBe(texts.length);
    for (const socket of open) socket.destroy();
    await expect.poll(countConnections, { timeout: 10_000 }).toBe(0);
  });
}
