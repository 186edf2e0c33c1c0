import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { getCertificate, readStored } from "#server/certificates/certificateRows.ts";
import { sealFacts, textOf } from "#server/certificates/issuing/storing.ts";
import { requestSealing } from "#server/certificates/jobs.ts";
import { auditedAs } from "#server/certificates/subjects.ts";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict } from "#server/core/http/problem.ts";
import type { Certificate, certificates } from "#shared/certificates/certificates.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/** Whether anything of it may still be revoked or issued again. */
async function lockValid(tx: Tx, ctx: Ctx<User>, id: string) {
  const stored = await readStored({ ...ctx, db: tx }, id);
  await tx.selectFrom("certificates").where("id", "=", id).forUpdate().select("id").execute();
  const { state, personId } = await readStored({ ...ctx, db: tx }, id);
  if (state === "revoked" || state === "replaced") throw conflict("certificates.notValid");
  return { ...stored, personId };
}

/** Only the holder decides what strangers see. */
export async function shareCertificate(
  ctx: Ctx<User>,
  id: string,
  shown: BodyOf<typeof certificates.share>,
): Promise<Certificate> {
  const { personId } = await getCertificate(ctx, id);
  if (personId !== ctx.user.id) throw conflict("certificates.notYours");
  await ctx.db.updateTable("certificates").set(shown).where("id", "=", id).where("personId", "=", personId).execute();
  return getCertificate(ctx, id);
}

export async function revokeCertificate(ctx: Ctx<User>, id: string, reason: string): Promise<Certificate> {
  await inTransaction(ctx.db, async (tx) => {
    const { personId, companyId, ...stored } = await lockValid(tx, ctx, id);
    await tx
      .updateTable("certificates")
      .set({ revokedAt: sql<string>`now()`, revokedBy: ctx.user.id, revokedReason: reason })
      .where("id", "=", id)
      .execute();
    await record(tx, ctx, {
      action: "certificates.revoke",
      ...(personId && { people: [personId] }),
      companyId,
      ...auditedAs(stored),
    });
  });
  return getCertificate(ctx, id);
}

/**
 * Issues a certificate again under the present name of its holder. The facts of the completion stay, as do the validity
 * and what the holder shows; the earlier certificate is replaced.
 */
export async function reissueCertificate(ctx: Ctx<User>, id: string): Promise<Certificate> {
  const made = await inTransaction(ctx.db, async (tx) => {
    const old = await lockValid(tx, ctx, id);
    const { newName } = await getCertificate({ ...ctx, db: tx }, id);
    const { personId } = old;
    if (!personId || !newName) throw conflict("certificates.sameName");
    const { rows } = await sql<{ day: string }>`
      select (now() at time zone timezone)::date::text as day
      from companies
      where id = ${old.companyId}`.execute(tx);
    const { number, holder: _holder, score: _score, minutes: _minutes, ...facts } = old.facts;
    const sealed = sealFacts(
      { ...facts, issuedOn: rows[0]?.day as string, replaces: number },
      { holder: newName, score: textOf(old.scorePercent), minutes: textOf(old.minutes) },
    );
    const { id: made } = await tx
      .insertInto("certificates")
      .values({
        number: sealed.facts.number,
        companyId: old.companyId,
        courseId: old.courseId,
        pathId: old.pathId,
        designId: old.designId,
        completionId: old.completionId,
        pathEnrolmentId: old.pathEnrolmentId,
        pathCompletedAt: old.pathCompletedAt,
        takenBackAt: old.takenBackAt,
        personId,
        name: newName,
        scorePercent: old.scorePercent,
        minutes: old.minutes,
        facts: JSON.stringify(sealed.facts),
        brand: JSON.stringify(old.brand),
        salt: sealed.salt,
        leaf: Buffer.from(sealed.leaf),
        completedOn: old.facts.completedOn,
        validUntil: old.facts.validUntil,
        showName: old.showName,
        showScore: old.showScore,
        showMinutes: old.showMinutes,
        replaces: old.id,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await record(tx, ctx, {
      action: "certificates.reissue",
      people: [personId],
      companyId: old.companyId,
      ...auditedAs(old),
    });
    await requestSealing(tx);
    return made;
  });
  return getCertificate(ctx, made);
}
