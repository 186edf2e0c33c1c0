import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { expect } from "vitest";
import { committer, openPart } from "#test/commits.ts";
import { foldBatch } from "#server/variables/fold/fold.ts";
import { recountVariables } from "#server/variables/fold/recount.ts";
import type { Launch, SessionEvent } from "#shared/player/player.ts";
import { variables, type VariableDraft } from "#shared/variables/variables.ts";
import type { VariableValue } from "#shared/variables/variableTypes.ts";
import type { Person, start } from "#test/start.ts";

type Server = Awaited<ReturnType<typeof start>>;

/** Definitions and values for the tests of this folder. */
export function createValueMaker({ as, db, make }: Pick<Server, "as" | "db" | "make">) {
  const send = committer(as);
  const lastSeq = new Map<string, number>();

  /** A classroom with further learners and a session of each. */
  const createGroup = async (size: number) => {
    const { admin, company, learner, course } = await make.classroom();
    const others = [];
    // One after another: the server hashes only a few passwords at once.
    while (others.length < size - 1) others.push(await make.learner(company.accessCode));
    const learners = [learner, ...others];
    const sessions = await Promise.all(learners.map((one) => make.launch(one, company.id, course.id)));
    return { admin, company, course, learners, sessions };
  };

  /** The event that sets a value, as the bridge sends it. */
  const setEvent = (seq: number, key: string, value: VariableValue, t = seq): SessionEvent => ({
    seq,
    t,
    type: "variable.set",
    sco: "i1",
    key,
    value: JSON.stringify(value),
  });
  /** Commits values of a session, in order. */
  const setValues = async (session: Launch | undefined, values: [key: string, value: VariableValue][]) => {
    if (!session) throw new Error("There is no such session");
    const from = (lastSeq.get(session.sessionId) ?? 0) + 1;
    const opening = from === 1 ? openPart() : [];
    const first = from + opening.length;
    lastSeq.set(session.sessionId, first + values.length - 1);
    const t = Math.max(0, Date.now() - Date.parse(session.startedAt));
    const events = [...opening, ...values.map(([key, value], index) => setEvent(first + index, key, value, t))];
    const reply = await send(session, { events });
    expect(reply.status).toBe(200);
    return reply.body;
  };
  const define = async (admin: Person, input: Partial<VariableDraft> & Pick<VariableDraft, "key">) => {
    const reply = await as(admin)(variables.create, { body: { label: input.key, type: "number", ...input } });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    return reply.body;
  };
  /** Values that are stored and not folded. */
  const countWaiting = async () => {
    const { rows } = await sql<{
      n: number;
    }>`select count(*)::int as n from variable_values v, variable_fold f where (v.tx, v.id) > (f.tx, f.value_id)`.execute(
      db,
    );
    return rows[0]?.n ?? 0;
  };
  /**
   * Waits until every stored value is folded. A transaction of another test file, on the same server, holds that up
   * until it ends.
   */
  const folded = async () => {
    for (const until = Date.now() + 45_000; ;) {
      await foldBatch(db);
      if ((await countWaiting()) === 0) return;
      if (Date.now() > until) break;
      await sleep(50);
    }
    const { rows } = await sql`
      select datname, state, query, now() - xact_start as open_for from pg_stat_activity where backend_xid is not null`.execute(
      db,
    );
    throw new Error(`values are not folded while these transactions are open: ${JSON.stringify(rows)}`);
  };
  /** Expects that what is stored follows from the values. */
  const expectRecounted = async () => expect(await recountVariables(db)).toEqual([]);
  const statistics = async (admin: Person, id: string, companyId?: string) =>
    (await as(admin)(variables.statistics, { params: { id }, query: companyId ? { companyId } : {} })).body;
  return { createGroup, send, setEvent, setValues, define, folded, expectRecounted, statistics };
}
