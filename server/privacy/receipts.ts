import { createHmac } from "node:crypto";
import { record } from "#server/audit/service.ts";
import type { Db, Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import type { Services } from "#server/core/services.ts";
import { readSettings } from "#server/settings/service.ts";
import type { Receipt } from "#shared/privacy/privacy.ts";
import type { User } from "#shared/core/users.ts";

const DAY_MS = 86_400_000;

/** Keyed hash, so that the database alone does not reveal whose receipt it is. */
const subjectHash = ({ config }: Pick<Services, "config">, userId: string) =>
  createHmac("sha256", config.secret).update(`erased ${userId}`).digest("base64url");

/** The receipt of an earlier erasure of this user. */
export async function findReceipt(services: Pick<Services, "config">, db: Db, userId: string) {
  const row = await db
    .selectFrom("erasures")
    .where("subjectHash", "=", subjectHash(services, userId))
    .select("receipt")
    .executeTakeFirst();
  return row?.receipt;
}

/** Stores the receipt of an erasure and records it in the audit log. */
export async function createReceipt(
  ctx: Ctx<User>,
  tx: Tx,
  userId: string,
  result: Pick<Receipt, "holdings" | "files" | "retainedRecords">,
): Promise<Receipt> {
  const { backupDays } = await readSettings(tx);
  const { id, erasedAt } = await tx
    .insertInto("erasures")
    .values({ subjectHash: subjectHash(ctx, userId), receipt: "{}" })
    .returning(["id", "erasedAt"])
    .executeTakeFirstOrThrow();
  const receipt: Receipt = {
    id,
    erasedAt,
    by: userId === ctx.user.id ? "self" : "admin",
    ...result,
    backupsUntil: backupDays === null ? null : backupsExpireOn(erasedAt, backupDays),
  };
  await tx
    .updateTable("erasures")
    .set({ receipt: JSON.stringify(receipt) })
    .where("id", "=", id)
    .execute();
  await recordErasure(ctx, tx, receipt);
  return receipt;
}

/** Calendar day on which the last backup from before the erasure expires. */
const backupsExpireOn = (erasedAt: string, backupDays: number) =>
  new Date(Date.parse(erasedAt) + backupDays * DAY_MS).toISOString().slice(0, 10);

/** People who erase themselves leave no actor in the log. */
async function recordErasure(ctx: Ctx<User>, tx: Tx, { id, by }: Receipt) {
  if (by === "admin") return record(tx, ctx, { action: "privacy.erase", details: { receipt: id, own: false } });
  await tx
    .insertInto("auditEntries")
    .values({
      action: "privacy.erase",
      actorId: null,
      actorRole: ctx.user.role,
      details: JSON.stringify({ receipt: id, own: true }),
    })
    .execute();
}
