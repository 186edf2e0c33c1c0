import { sql } from "kysely";
import type { GatewayContext } from "#server/connectors/gatewayCall.ts";
import { type Db, inTransaction } from "#server/core/database/db.ts";
import { notify } from "#server/notifications/notify.ts";
import { NOBODY } from "#shared/audit/audit.ts";
import type { ConnectorErrorCode } from "#shared/connectors/connectors.ts";
import connectorTexts from "#shared/locales/en/connectors.json" with { type: "json" };

/** A budget that is nearly spent; amounts in the academy's currency. */
export type NearlySpent = { kind: string; ownerId: string | null; limit: number; spent: number };
const LINK = "/admin/connectors";

/** Tells admins that most of a budget is spent, and records it. Called once per budget, limit and month. */
export async function notifyBudget(ctx: GatewayContext, { kind, ownerId, limit, spent }: NearlySpent) {
  const percent = Math.floor((100 * spent) / limit);
  await inTransaction(ctx.db, async (tx) => {
    await tx
      .insertInto("auditEntries")
      .values({
        action: "connectors.budget",
        actorId: null,
        actorRole: NOBODY,
        companyId: kind === "company" ? ownerId : null,
        details: JSON.stringify({ budget: kind, percent }),
      })
      .execute();
    const { currency } = await tx.selectFrom("aiSettings").select("currency").executeTakeFirstOrThrow();
    const money = (amount: number) => new Intl.NumberFormat("en-GB", { style: "currency", currency }).format(amount);
    const month = new Date().toISOString().slice(0, 7);
    await notify(ctx, tx, {
      to: "admins",
      kind: "budgetReached",
      params: { percent, name: await nameOfOwner(tx, kind, ownerId), spent: money(spent), budget: money(limit) },
      link: LINK,
      key: `budget ${kind} ${ownerId ?? ""} ${month} ${limit}`,
    });
  });
}

/** Tells admins that a connector is paused after several failures; once a day. */
export async function notifyFailing(ctx: GatewayContext, connectorId: string, name: string, code: ConnectorErrorCode) {
  const day = new Date().toISOString().slice(0, 10);
  await inTransaction(ctx.db, (tx) =>
    notify(ctx, tx, {
      to: "admins",
      kind: "connectorFailing",
      params: { name, error: connectorTexts.causes[code] },
      link: LINK,
      key: `connector ${connectorId} ${day}`,
    }),
  );
}

async function nameOfOwner(db: Db, kind: string, ownerId: string | null) {
  if (kind === "academy" || !ownerId) return "Academy";
  const table = kind === "company" ? "companies" : "connectors";
  const { rows } = await sql<{ name: string }>`
    select name
    from ${sql.table(table)}
    where id = ${ownerId}`.execute(db);
  return rows[0]?.name ?? "";
}
