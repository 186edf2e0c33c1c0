import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { refuseIfFull } from "#server/auth/account/companySeats.ts";
import { issuePin } from "#server/auth/pins/pins.ts";
import { inTransaction, isUniqueViolation } from "#server/core/database/db.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict, notFound } from "#server/core/http/problem.ts";
import { enrolNewLearners } from "#server/courses/enrolments.ts";
import { enrolByRules } from "#server/enrolmentRules/enrolling.ts";
import { enrolInCourses } from "#server/learners/invitations.ts";
import { USER_SCOPE } from "#server/learners/learnerRows.ts";
import { getLearner } from "#server/learners/service.ts";
import type { learners } from "#shared/learners/learners.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

// Learners without an email address: their personnel number identifies them in their company.

/** Creates a learner who gets the first PIN later, from an admin or their manager. */
export async function createLearner(ctx: Ctx<User>, body: BodyOf<typeof learners.create>) {
  const { companyId, name, personnelNumber, courseIds } = body;
  return inTransaction(ctx.db, async (tx) => {
    const company = await tx
      .selectFrom("companies")
      .where("id", "=", companyId)
      .where(inScope(ctx.user, { company: "companies.id" }))
      .select(["id", "status", "learnerLimit", "pinLogin"])
      .forUpdate()
      .executeTakeFirstOrThrow(notFound);
    if (company.status !== "active") throw conflict("companies.notActive");
    if (company.pinLogin === "off") throw conflict("learners.noPinLogin");
    const { id } = await tx
      .insertInto("users")
      .values({ email: null, name, role: "learner", status: "invited", companyId, invitedBy: ctx.user.id })
      .returning("id")
      .executeTakeFirstOrThrow();
    await tx.insertInto("personnelNumbers").values({ userId: id, companyId, number: personnelNumber }).execute();
    await refuseIfFull(tx, company);
    await enrolNewLearners(tx, [id], companyId, "invitation");
    await enrolInCourses(tx, id, companyId, courseIds, ctx.user.id);
    await enrolByRules(tx, [id]);
    await record(tx, ctx, { action: "learners.create", people: [id], companyId });
    return getLearner({ ...ctx, db: tx }, id);
  }).catch((error: unknown) => {
    throw isUniqueViolation(error, "personnel_numbers_number")
      ? badField("personnelNumber", "learners.numberTaken")
      : error;
  });
}

/** A new PIN for a learner in the scope of the user; 404 for any other. */
export async function issueLearnerPin(ctx: Ctx<User>, id: string, order: BodyOf<typeof learners.issuePin>) {
  await ctx.db
    .selectFrom("users")
    .where("id", "=", id)
    .where(sql<boolean>`users.role = 'learner'`)
    .where(inScope(ctx.user, USER_SCOPE))
    .select("id")
    .executeTakeFirstOrThrow(notFound);
  return issuePin(ctx, id, order);
}
