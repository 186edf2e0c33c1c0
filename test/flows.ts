import { sql } from "kysely";
import { expect } from "vitest";
import type { Tx } from "#server/core/database/db.ts";
import { passBatch } from "#server/flows/propagation.ts";
import { adoptMovedValues, recountVariables } from "#server/variables/fold/recount.ts";
import { flows, type FlowInput, type Transform } from "#shared/flows/flows.ts";
import { rawData } from "#shared/rawData/rawData.ts";
import { variables } from "#shared/variables/variables.ts";
import type { Person, start } from "#test/start.ts";
import { createValueMaker } from "#test/values.ts";

type Server = Awaited<ReturnType<typeof start>>;

/** Flows and what they pass on, for the tests of this domain. */
export function createFlowMaker(server: Pick<Server, "as" | "db" | "make" | "services">) {
  const { as, db, services } = server;
  const values = createValueMaker(server);

  const connect = (
    admin: Person,
    sourceVariableId: string,
    variableId: string,
    more: Partial<FlowInput> & { includesCurrent?: boolean } = {},
  ) => as(admin)(flows.create, { body: { sourceVariableId, target: { kind: "variable", variableId }, ...more } });
  const transformed = (admin: Person, source: string, target: string, transform: Transform) =>
    connect(admin, source, target, { transform });
  const pause = async (admin: Person, { id, version }: { id: string; version: number }, isActive = false) => {
    const reply = await as(admin)(flows.update, { params: { id }, body: { version, isActive } });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    return reply.body;
  };
  const flowOf = async (admin: Person, variableId: string) => {
    const { items } = (await as(admin)(flows.list, { query: { variableId } })).body;
    return items[0] as NonNullable<(typeof items)[0]>;
  };
  /**
   * Whether nothing that may pass is left. The server passes values on as well: what it is about to store is not
   * visible yet.
   */
  const isIdle = async () => {
    while ((await passBatch(services)).isMore);
    const { rows } = await sql`select from flow_cursor c, variable_fold f where (c.tx, c.value_id) = (f.tx, f.value_id)
      and not exists (select from flows join variables source on source.id = source_variable_id
        left join variables target on target.id = target_variable_id
        where backfill_pending and is_active and source.status = 'active' and target.status is distinct from 'archived'
          and (source.privacy <> 'sensitive' or target.privacy = 'sensitive'))`.execute(db);
    return rows.length === 1;
  };
  /** Waits until everything stored is folded and passed on, also what follows from it. */
  const passed = async () => {
    for (let rounds = 0; rounds < 10; rounds++) {
      await values.folded();
      await expect.poll(isIdle, { timeout: 20_000 }).toBe(true);
    }
    await values.folded();
    expect(await recountVariables(db)).toEqual([]);
  };
  /** Moves the database to a server with lower transaction numbers; `before` changes what is stored at that moment. */
  const moveServer = (before: (tx: Tx) => Promise<unknown> = async () => {}) =>
    db.transaction().execute(async (tx) => {
      await before(tx);
      for (const [table, column] of [
        ["variable_values", "tx"],
        ["variable_fold", "tx"],
        ["flow_cursor", "tx"],
        ["flows", "since_tx"],
        ["flow_backfills", "until_tx"],
      ] as const)
        await sql`update ${sql.table(table)} set ${sql.ref(column)} =
          (${sql.ref(column)}::text::bigint + 1000000000000)::text::xid8`.execute(tx);
      expect(await adoptMovedValues(tx)).toBe(true);
    });
  const currentOf = async (admin: Person, id: string) =>
    (await as(admin)(variables.values, { params: { id } })).body.items.map(({ current }) => current);
  /** The values of a variable that were stored, as the parameters of their endpoints. */
  const storedOf = async (admin: Person, variableId: string) => {
    const { items } = (await as(admin)(rawData.list, { query: { variableId } })).body;
    return items.map((value) => ({ ...value, params: { valueId: String(value.id) as never } }));
  };
  const correct = async (admin: Person, variableId: string, from: unknown, to: number) => {
    const found = (await storedOf(admin, variableId)).find(({ value, corrected }) => value === from && !corrected);
    if (!found) throw new Error(`There is no value ${String(from)}`);
    return as(admin)(rawData.correct, { params: found.params, body: { value: to, reason: "typing error" } });
  };
  return { ...values, connect, transformed, pause, flowOf, passed, moveServer, currentOf, storedOf, correct };
}
