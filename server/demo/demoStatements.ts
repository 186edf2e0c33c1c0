import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { inTransaction } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { createRandom } from "#server/demo/random.ts";
import { createClient } from "#server/statements/clients.ts";
import { agentOf } from "#server/statements/identifiers.ts";
import { addStatements } from "#server/statements/store.ts";
import type { User } from "#shared/core/users.ts";
import type { Statement } from "#shared/statements/xapi.ts";

const SIMULATOR = "https://simulator.norrvik.example";
const exercises = ["Lift and turn", "Two loads, one hook", "Wind from the north", "Blind lift with a banksman"];
const verbOf = (name: string) => ({ id: `http://adlnet.gov/expapi/verbs/${name}`, display: { en: name } });
const HOUR = 3_600_000;

/** What a crane simulator of the company has reported of some learners in the last two weeks. */
export async function addSimulator(ctx: Ctx<User>, companyId: string, learners: User[]) {
  const random = createRandom(353);
  const { id: clientId, userName } = await createClient(ctx, {
    name: "Crane simulator",
    companyId,
    scopes: ["statements/write", "statements/read/mine"],
  });
  const { publicUrl } = ctx.config;
  const statements = learners.flatMap((learner, at) => {
    const day = new Date(Date.now() - (2 + at) * 24 * HOUR);
    const startedAt = day.setUTCHours(7 + (at % 5), Math.floor(random() * 60), 0, 0);
    const actor = agentOf(ctx.config, learner.id);
    return exercises.slice(0, 1 + (at % exercises.length)).flatMap((name, n): Statement[] => {
      const object = {
        id: `${SIMULATOR}/exercises/${n + 1}`,
        definition: { type: "http://adlnet.gov/expapi/activities/simulation", name: { en: name } },
      };
      const beginsAt = startedAt + n * 0.4 * HOUR;
      const seconds = Math.round(300 + random() * 700);
      const scaled = Math.round(45 + random() * 54) / 100;
      const passed = scaled >= 0.7;
      const of = (verb: string, ms: number, more: Partial<Statement> = {}): Statement => ({
        id: randomUUID(),
        actor,
        verb: verbOf(verb),
        object,
        timestamp: new Date(ms).toISOString(),
        ...more,
      });
      const result = { success: passed, score: { scaled }, duration: `PT${seconds}S` };
      return [of("initialized", beginsAt), of(passed ? "passed" : "failed", beginsAt + seconds * 1000, { result })];
    });
  });
  await inTransaction(ctx.db, async (tx) => {
    const authority = { account: { homePage: publicUrl, name: userName } };
    await addStatements(tx, ctx.config, companyId, statements, { authority, clientId, defines: true });
    // They came when they happened.
    for (const table of ["statement_agents", "statement_activities"])
      await sql`
        update ${sql.table(table)}
        set stored_at = statements.happened_at + interval '1 second'
        from statements
        where statements.position = ${sql.table(table)}.position
          and statements.client_id = ${clientId}`.execute(tx);
    await sql`
      update statements
      set
        stored_at = happened_at + interval '1 second',
        statement = statement || jsonb_build_object('stored', statement -> 'timestamp')
      where client_id = ${clientId}`.execute(tx);
  });
}
