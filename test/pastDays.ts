import { sql } from "kysely";
import { type Db, inTransaction } from "#server/core/database/db.ts";

const tables = {
  enrolment_history: ["happened_at", "recorded_at"],
  membership_history: ["happened_at", "recorded_at"],
  company_history: ["happened_at", "recorded_at"],
  completion_history: ["recorded_at"],
  completion_rule_history: ["happened_at", "recorded_at"],
  completion_withdrawals: ["recorded_at"],
  requirement_history: ["recorded_at"],
  course_requirement_history: ["recorded_at"],
  company_privacy_history: ["recorded_at"],
  completion_decisions: ["made_at", "undone_at"],
};

/** Moves the times at which everything was recorded so many days back; what happened when stays. */
export const recordEarlier = (db: Db, days: number) =>
  inTransaction(db, async (tx) => {
    await sql`select set_config('lyceum.rewrite', 'allowed', true)`.execute(tx);
    for (const [table, columns] of Object.entries(tables)) {
      const moved = columns.map(
        (column) => sql`${sql.ref(column)} = ${sql.ref(column)} - make_interval(days => ${days})`,
      );
      await sql`update ${sql.table(table)} set ${sql.join(moved)}`.execute(tx);
    }
    await sql`alter table group_members disable trigger user`.execute(tx);
    await sql`
      update group_members
      set since = since - make_interval(days => ${days}),
        until = until - make_interval(days => ${days})`.execute(tx);
    await sql`alter table group_members enable trigger user`.execute(tx);
  });
