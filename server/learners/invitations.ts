import { type NotNull, type RawBuilder, sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { countFreeSeats } from "#server/auth/account/companySeats.ts";
import { enrolInCompanyCourses } from "#server/courses/enrolments.ts";
import { enrolByRules } from "#server/enrolmentRules/enrolling.ts";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Services } from "#server/core/services.ts";
import { hashToken, newToken } from "#server/core/secrets.ts";
import { invitationMail } from "#server/learners/mails.ts";
import { listSelectedLearners } from "#server/learners/learnerRows.ts";
import { enqueueMail } from "#server/mails/service.ts";
import { INVITATION_DAYS, type LearnerSelection, type learners } from "#shared/learners/learners.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import type { ErrorCode } from "#shared/locales/errors.ts";

type Outcome = { email: string; outcome: "invited" | "resent" | "skipped"; reason: ErrorCode | null };

/**
 * Invites people to a company: creates invited accounts and sends emails with a link. Returns an outcome per person, in
 * the order of the input; one failure does not affect the others. People who are invited already get a new link.
 */
export async function inviteLearners(ctx: Ctx<User>, input: BodyOf<typeof learners.invite>) {
  return inTransaction(ctx.db, async (tx) => {
    const company = await tx
      .selectFrom("companies")
      .where("id", "=", input.companyId)
      .where(inScope(ctx.user, { company: "companies.id" }))
      .selectAll()
      .forUpdate()
      .executeTakeFirstOrThrow(notFound);
    if (company.status !== "active") throw conflict("companies.notActive");
    let freeSeats = await countFreeSeats(tx, company);
    const unique = [...new Map(input.people.map((person) => [person.email, person])).values()];
    const outcomes: Outcome[] = [];
    const invited: string[] = [];
    for (const { email, name } of unique) {
      const account = await tx
        .selectFrom("users")
        .where(sql`lower(email)`, "=", email)
        .select(["id", "status", "role", "companyId", "lastActive"])
        .executeTakeFirst();
      const reason = skipReason(account, company.id) ?? (!account && freeSeats <= 0 ? "learners.limitReached" : null);
      if (reason) {
        outcomes.push({ email, outcome: "skipped", reason });
        continue;
      }
      const id =
        account?.id ??
        (
          await tx
            .insertInto("users")
            .values({ email, name, role: "learner", status: "invited", companyId: company.id })
            .returning("id")
            .executeTakeFirstOrThrow()
        ).id;
      if (!account) freeSeats--;
      await enrolInCompanyCourses(tx, id, company.id, "invitation");
      await enrolInCourses(tx, id, company.id, input.courseIds, ctx.user.id);
      await sendInvitation(ctx, tx, id);
      invited.push(id);
      outcomes.push({ email, outcome: account ? "resent" : "invited", reason: null });
    }
    await enrolByRules(tx, invited);
    await record(tx, ctx, { action: "learners.invite", people: invited, companyId: company.id });
    return { outcomes };
  });
}

/** The people whom `inviteLearners` would skip because of the account that they already have. */
export async function checkInvitations(
  { db, user }: Ctx<User>,
  { companyId, emails }: BodyOf<typeof learners.checkInvitations>,
) {
  await db
    .selectFrom("companies")
    .where("id", "=", companyId)
    .where(inScope(user, { company: "companies.id" }))
    .select("id")
    .executeTakeFirstOrThrow(notFound);
  const accounts = await db
    .selectFrom("users")
    .where(sql<string>`lower(email)`, "in", emails)
    .select([sql<string>`lower(email)`.as("address"), "status", "role", "companyId"])
    .execute();
  return {
    skipped: accounts.flatMap(({ address, ...account }) => {
      const reason = skipReason(account, companyId);
      return reason ? [{ email: address, reason }] : [];
    }),
  };
}

function skipReason(
  account: { status: string; role: string; companyId: string | null } | undefined,
  companyId: string,
): ErrorCode | null {
  if (!account) return null;
  if (account.role === "admin") return account.status === "suspended" ? "learners.wasAdmin" : "learners.isAdmin";
  if (account.companyId !== companyId) return "learners.inOtherCompany";
  return account.status === "invited" ? null : "learners.isActive";
}

export async function enrolInCourses(
  tx: Tx,
  userId: string,
  companyId: string,
  courseIds: string[],
  assignedBy: string,
) {
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

/**
 * Creates a new invitation link, which replaces the old one, and emails it. False if the person is not in status
 * invited.
 */
export const sendInvitation = (ctx: Ctx<User>, tx: Tx, userId: string) =>
  writeInvitation(ctx, tx, userId, {
    invitedBy: ctx.user.id,
    isAllowed: inScope(ctx.user, { company: "companies.id" }),
  });

type Inviter = { invitedBy: string | null; isAllowed: RawBuilder<boolean> };
/** The same for an inviter who is no person. `isAllowed` is a condition on the company. */
export async function writeInvitation(services: Services, tx: Tx, userId: string, { invitedBy, isAllowed }: Inviter) {
  const token = newToken();
  const now = new Date();
  const person = await tx
    .updateTable("users")
    .set({
      invitationHash: hashToken(token),
      invitedAt: now.toISOString(),
      invitedBy,
      invitationExpiresAt: new Date(now.getTime() + INVITATION_DAYS * 86_400_000).toISOString(),
    })
    .from("companies")
    .whereRef("companies.id", "=", "users.companyId")
    .where(isAllowed)
    .where("users.id", "=", userId)
    .where("users.status", "=", "invited")
    .where("users.email", "is not", null)
    .returning([
      "users.email",
      "users.name",
      "companies.id as companyId",
      "companies.name as company",
      "companies.color",
    ])
    .$narrowType<{ email: NotNull }>()
    .executeTakeFirst();
  if (!person) return false;
  const mail = invitationMail({
    ...person,
    link: `${services.config.publicUrl}/register?invitation=${token}`,
    days: INVITATION_DAYS,
  });
  await enqueueMail(services, tx, {
    recipient: person.email,
    userId,
    companyId: person.companyId,
    reason: "learners.invitation",
    ...mail,
  });
  return true;
}

export async function resendInvitations(ctx: Ctx<User>, selection: LearnerSelection) {
  return inTransaction(ctx.db, async (tx) => {
    const invited: string[] = [];
    const ids = await listSelectedLearners({ ...ctx, db: tx }, selection);
    for (const id of ids) if (await sendInvitation(ctx, tx, id)) invited.push(id);
    await record(tx, ctx, { action: "learners.resend", people: invited });
    return { changed: invited.length };
  });
}
