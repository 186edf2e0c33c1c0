import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { type Db, inTransaction, repeatOnDeadlock } from "#server/core/database/db.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound, Problem } from "#server/core/http/problem.ts";
import { platformAgent, storeStatements } from "#server/statements/platform.ts";
import { statementFor } from "#server/statements/shownStatement.ts";
import { readEntries } from "#server/statements/viewing/entries.ts";
import type { User } from "#shared/core/users.ts";
import { MAX_REASON_CHARS, type StatementDetail } from "#shared/statements/statementEntries.ts";
import { type StoredStatement, VOIDED } from "#shared/statements/xapi.ts";

const MAX_COUNTED = 1000;

export async function readStatement({ db, user }: { db: Db; user: User }, position: number): Promise<StatementDetail> {
  const row = await db
    .selectFrom("statements")
    .where("position", "=", position)
    .where(inScope(user, { company: "statements.companyId" }))
    .select(["id", "companyId", "registration", "sessionId", "isVoided"])
    .select(sql<StoredStatement>`${statementFor(user)}`.as("statement"))
    .executeTakeFirstOrThrow(notFound);
  const [entry] = await readEntries({ db, user }, [position]);
  if (!entry) throw notFound();
  const { statement } = row;
  return {
    ...entry,
    registration: row.registration,
    version: statement.version,
    attachments: statement.attachments?.length ?? 0,
    sessionStatements: row.sessionId ? await countOfSession(db, row.sessionId) : null,
    voiding: row.isVoided ? await readVoiding(db, row) : null,
    text: JSON.stringify(statement, null, 2),
  };
}

async function countOfSession(db: Db, sessionId: string) {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count
    from (
      select
      from statements
      where session_id = ${sessionId}
      limit ${MAX_COUNTED}
    ) matching`.execute(db);
  return rows[0]?.count ?? 0;
}

async function readVoiding(db: Db, { companyId, id }: { companyId: string; id: string }) {
  const { rows } = await sql<{ at: string; reason: string | null }>`
    select stored_at as at, left(statement -> 'result' ->> 'response', ${MAX_REASON_CHARS}::int) as reason
    from statements
    where company_id = ${companyId}
      and object_statement = ${id}
      and is_voiding
    order by position
    limit 1`.execute(db);
  return rows[0] ? { at: rows[0].at, reason: rows[0].reason ?? "" } : null;
}

/** Voids the statement at `position` by a statement of the platform; the audit log names the admin. */
export const voidStatement = (ctx: Ctx<User>, position: number, reason: string) =>
  repeatOnDeadlock(() =>
    inTransaction(ctx.db, async (tx) => {
      const row = await tx
        .selectFrom("statements")
        .where("position", "=", position)
        .where(inScope(ctx.user, { company: "statements.companyId" }))
        .select(["id", "companyId", "isVoided", "isVoiding"])
        .forUpdate()
        .executeTakeFirstOrThrow(notFound);
      if (row.isVoiding) throw new Problem(409, "statements.voidsAnother");
      if (row.isVoided) throw new Problem(409, "statements.alreadyVoided");
      const { publicUrl } = ctx.config;
      const voiding = {
        id: randomUUID(),
        actor: platformAgent(publicUrl),
        verb: { id: VOIDED, display: { en: "voided" } },
        object: { objectType: "StatementRef" as const, id: row.id },
        result: { response: reason },
      };
      await storeStatements(tx, row.companyId, [voiding], { publicUrl });
      await record(tx, ctx, {
        action: "statements.void",
        companyId: row.companyId,
        details: { statement: row.id },
      });
      return readStatement({ db: tx, user: ctx.user }, position);
    }),
  );
