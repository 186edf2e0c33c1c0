import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { countLearners } from "#server/auth/account/registration.ts";
import { enrolInCompanyCourses } from "#server/courses/enrolments.ts";
import { inTransaction, type Tx } from "#server/core/db.ts";
import type { Ctx } from "#server/core/http.ts";
import { conflict, notFound, type ProblemCode } from "#server/core/problem.ts";
import { hashToken, newToken } from "#server/core/secrets.ts";
import { invitationMail } from "#server/learners/mails.ts";
import { enqueueMail } from "#server/mails/service.ts";
import { INVITATION_DAYS } from "#shared/learners.ts";
import type { User } from "#shared/users.ts";

type Person = { email: string; name: string };
type Outcome = { email: string; outcome: "invited" | "resent" | "skipped"; reason: ProblemCode | null };

/**
 * Invites people into a company: a record without `lastActive` and a mail with a link. Each person gets an outcome, in the
 * order given; one bad row never stops the others. Whoever is invited there already gets a fresh link.
 */
export async function inviteLearners(
  ctx: Ctx<User>,
  input: { companyId: string; people: Person[]; courseIds: string[] },
) {
  return inTransaction(ctx.db, async (tx) => {
    const company = await tx
      .selectFrom("companies")
      .where("id", "=", input.companyId)
      .selectAll()
      .forUpdate()
      .executeTakeFirstOrThrow(notFound);
    if (company.status !== "active") throw conflict("companies.notActive");
    let places =
      company.learnerLimit === null ? Infinity : company.learnerLimit - (await countLearners(tx, company.id));
    const unique = [...new Map(input.people.map((person) => [person.email, person])).values()];
    const outcomes: Outcome[] = [];
    const written: string[] = [];
    for (const { email, name } of unique) {
      const known = await tx
        .selectFrom("users")
        .where(sql`lower(email)`, "=", email)
        .select(["id", "status", "role", "companyId", "lastActive"])
        .executeTakeFirst();
      const refused = refusal(known, company.id) ?? (!known && places <= 0 ? "learners.noPlace" : null);
      if (refused) {
        outcomes.push({ email, outcome: "skipped", reason: refused });
        continue;
      }
      const id =
        known?.id ??
        (
          await tx
            .insertInto("users")
            .values({ email, name, role: "learner", status: "invited", companyId: company.id })
            .returning("id")
            .executeTakeFirstOrThrow()
        ).id;
      if (!known) places--;
      await enrolInCompanyCourses(tx, id, company.id, "invitation");
      await enrolIn(tx, id, company.id, input.courseIds, ctx.user.id);
      await sendInvitation(ctx, tx, id);
      written.push(id);
      outcomes.push({ email, outcome: known ? "resent" : "invited", reason: null });
    }
    await record(tx, ctx, { action: "learners.invite", people: written, companyId: company.id });
    return { outcomes };
  });
}

function refusal(
  known: { status: string; role: string; companyId: string | null } | undefined,
  companyId: string,
): ProblemCode | null {
  if (!known) return null;
  if (known.role === "admin") return "learners.isAdmin";
  if (known.companyId !== companyId) return "learners.otherCompany";
  return known.status === "invited" ? null : "learners.isActive";
}

async function enrolIn(tx: Tx, userId: string, companyId: string, courseIds: string[], assignedBy: string) {
  if (courseIds.length === 0) return;
  await tx
    .insertInto("enrolments")
    .columns(["userId", "companyId", "courseId", "source", "assignedBy"])
    .expression(
      tx
        .selectFrom("courses")
        .where("id", "in", courseIds)
        .where("status", "!=", "archived")
        .select([
          sql.lit(userId).as("userId"),
          sql.lit(companyId).as("companyId"),
          "id",
          sql.lit<"invitation">("invitation").as("source"),
          sql.lit(assignedBy).as("assignedBy"),
        ]),
    )
    .onConflict((conflict) => conflict.columns(["userId", "courseId", "cycle"]).doNothing())
    .execute();
}

/** A fresh link (the old one stops working) and the mail that carries it. */
async function sendInvitation(ctx: Ctx<User>, tx: Tx, userId: string) {
  const token = newToken();
  const now = new Date();
  const person = await tx
    .updateTable("users")
    .set({
      invitationHash: hashToken(token),
      invitedAt: now.toISOString(),
      invitedBy: ctx.user.id,
      invitationExpiresAt: new Date(now.getTime() + INVITATION_DAYS * 86_400_000).toISOString(),
    })
    .from("companies")
    .whereRef("companies.id", "=", "users.companyId")
    .where("users.id", "=", userId)
    .where("users.status", "=", "invited")
    .returning([
      "users.email",
      "users.name",
      "companies.id as companyId",
      "companies.name as company",
      "companies.color",
    ])
    .executeTakeFirst();
  if (!person) return false;
  const letter = invitationMail({
    ...person,
    link: `${ctx.config.publicUrl}/register?invitation=${token}`,
    days: INVITATION_DAYS,
  });
  await enqueueMail(ctx, tx, {
    recipient: person.email,
    userId,
    companyId: person.companyId,
    reason: "learners.invitation",
    ...letter,
  });
  return true;
}

export async function resendInvitations(ctx: Ctx<User>, ids: string[]) {
  return inTransaction(ctx.db, async (tx) => {
    const written: string[] = [];
    for (const id of new Set(ids)) if (await sendInvitation(ctx, tx, id)) written.push(id);
    await record(tx, ctx, { action: "learners.resend", people: written });
    return { changed: written.length };
  });
}
