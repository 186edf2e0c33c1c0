import type { GatewayContext } from "#server/connectors/calls.ts";
import { sql } from "kysely";
import { inTransaction } from "#server/core/db.ts";
import { enqueueMail } from "#server/mails/service.ts";
import { renderMail } from "#server/mails/template.ts";
import { readSettings } from "#server/settings/service.ts";
import { NOBODY } from "#shared/audit.ts";

/** A budget of which most is spent; money in the academy's currency. */
export type NearlySpent = { kind: string; ownerId: string | null; limit: number; spent: number };

/** Tells admins that most of a budget is spent: an entry of the audit log, and an email to each of them. Called once per budget and month. */
export async function notifyBudget(ctx: GatewayContext, { kind, ownerId, limit, spent }: NearlySpent) {
  const percent = Math.floor((100 * spent) / limit);
  await inTransaction(ctx.db, async (tx) => {
    const companyId = kind === "company" ? ownerId : null;
    await tx
      .insertInto("auditEntries")
      .values({
        action: "connectors.budget",
        actorId: null,
        actorRole: NOBODY,
        companyId,
        details: JSON.stringify({ budget: kind, percent }),
      })
      .execute();
    const owner = await nameOfOwner(tx, kind, ownerId);
    const { currency } = await tx.selectFrom("aiSettings").select("currency").executeTakeFirstOrThrow();
    const { academyName: name, color } = await readSettings(tx);
    const money = (amount: number) => new Intl.NumberFormat("en-GB", { style: "currency", currency }).format(amount);
    const admins = await tx
      .selectFrom("users")
      .where("role", "=", "admin")
      .where("status", "=", "active")
      .where((e) => e.or([e("companyId", "is", null), e("companyId", "=", companyId)]))
      .select(["id", "email", "companyId"])
      .execute();
    for (const admin of admins)
      await enqueueMail(ctx, tx, {
        recipient: admin.email,
        userId: admin.id,
        companyId: admin.companyId,
        reason: "connectors.budget",
        subject: `${percent} % of the budget of ${owner} is spent`,
        ...renderMail({
          name,
          color,
          paragraphs: [
            `Language models have cost ${money(spent)} of ${money(limit)} this month (${owner}).`,
            "From 80 % on, a cheaper model answers where one is named. From 95 % on, answers only quote documents. At 100 % people read the text of the limit.",
          ],
          button: { label: "Open connections", url: `${ctx.config.publicUrl}/admin/connectors` },
          footer: "You receive this email because you are an admin.",
        }),
      });
  });
}

async function nameOfOwner(db: GatewayContext["db"], kind: string, ownerId: string | null) {
  if (kind === "academy" || !ownerId) return "the academy";
  if (kind === "chatbot") return "a chatbot";
  const table = kind === "company" ? "companies" : "connectors";
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(table)} where id = ${ownerId}`.execute(db);
  return rows[0]?.name ?? "the academy";
}
