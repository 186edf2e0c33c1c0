import { record } from "#server/audit/service.ts";
import { refuseIfFull } from "#server/auth/account/companySeats.ts";
import { endSessions } from "#server/auth/service.ts";
import { deleteOneTimeTokens } from "#server/auth/oneTimeTokens.ts";
import { inTransaction, isUniqueViolation, repeatOnDeadlock } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict, notFound } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import { assignCourses } from "#server/courses/assignments.ts";
import { enrolInCompanyCourses } from "#server/courses/enrolments.ts";
import { enrolByRules, notifyOf } from "#server/enrolmentRules/enrolling.ts";
import { changeFieldValues } from "#server/fields/values.ts";
import { listSelectedLearners, selectLearners, USER_SCOPE } from "#server/learners/learnerRows.ts";
import { setManager } from "#server/managers/setManager.ts";
import type { LearnerSelection, learners } from "#shared/learners/learners.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/** One learner in the scope of the user; 404 for any other. */
export const getLearner = (ctx: Ctx<User>, id: string) =>
  selectLearners(ctx).where("users.id", "=", id).executeTakeFirstOrThrow(notFound);

/** Changes a learner if the row is still at `version`; otherwise throws 409 with the current row. */
export async function updateLearner(
  ctx: Ctx<User>,
  id: string,
  { version, email, fields, ...values }: BodyOf<typeof learners.update>,
) {
  try {
    return await inTransaction(ctx.db, async (tx) => {
      const before = await tx.selectFrom("users").where("id", "=", id).select("email").forUpdate().executeTakeFirst();
      const emailChanged = email !== undefined && email !== before?.email?.toLowerCase();
      const updated = await tx
        .updateTable("users")
        // A new address is not verified, and links sent to the old one must not work for it.
        .set((e) => ({
          ...values,
          ...(emailChanged && { email, emailVerified: false, invitationHash: null }),
          version: e("version", "+", 1),
          updatedAt: new Date().toISOString(),
        }))
        .where("id", "=", id)
        .where("role", "=", "learner")
        .where(inScope(ctx.user, USER_SCOPE))
        .where("version", "=", version)
        .returning(["id", "companyId"])
        .executeTakeFirst();
      if (updated && fields) await changeFieldValues(tx, { userId: id, companyId: updated.companyId }, fields);
      const current = await getLearner({ ...ctx, db: tx }, id);
      if (!updated) throw conflict("core.conflict", { current, changedBy: null, changedAt: null });
      if (emailChanged) await deleteOneTimeTokens(tx, id);
      await record(tx, ctx, {
        action: "learners.update",
        people: [id],
        companyId: updated.companyId,
        details: {
          fields: [...Object.keys(values), ...(emailChanged ? ["email"] : []), ...(fields ? ["fields"] : [])],
        },
      });
      return current;
    });
  } catch (error) {
    if (isUniqueViolation(error, "users_email")) throw badField("email", "learners.emailTaken");
    throw error;
  }
}

/** Moves learners to another company. Earlier enrolments and attempts stay with the old company. */
export async function moveLearners(ctx: Ctx<User>, selection: LearnerSelection, companyId: string) {
  return inTransaction(ctx.db, async (tx) => {
    const ids = await listSelectedLearners({ ...ctx, db: tx }, selection);
    const target = await tx
      .selectFrom("companies")
      .where("id", "=", companyId)
      .where(inScope(ctx.user, { company: "companies.id" }))
      .select(["id", "status", "learnerLimit"])
      .forUpdate()
      .executeTakeFirst();
    if (target?.status !== "active") throw conflict("companies.notActive");
    const moved = await tx
      .updateTable("users")
      .set((e) => ({ companyId, version: e("version", "+", 1) }))
      .where(isOneOf("id", ids))
      .where("role", "=", "learner")
      .where(inScope(ctx.user, USER_SCOPE))
      .where("companyId", "!=", companyId)
      .returning("id")
      .execute()
      .catch((error: unknown) => {
        throw isUniqueViolation(error, "personnel_numbers_number") ? conflict("learners.numberTaken") : error;
      });
    const people = moved.map(({ id }) => id);
    if (people.length > 0) await refuseIfFull(tx, target);
    for (const id of people) await enrolInCompanyCourses(tx, id, companyId, "company");
    await notifyOf(tx, await enrolByRules(tx, people));
    await endSessions(tx, people);
    await record(tx, ctx, { action: "learners.move", people, companyId });
    return { changed: people.length };
  });
}

/** Assigns courses to the selected learners. */
export async function assignToLearners(
  ctx: Ctx<User>,
  { ids, filter, courseIds, ...terms }: BodyOf<typeof learners.assign>,
) {
  return repeatOnDeadlock(() =>
    inTransaction(ctx.db, async (tx) => {
      const scoped = { ...ctx, db: tx };
      const userIds = await listSelectedLearners(scoped, { ids, filter });
      return assignCourses(scoped, courseIds, { ...terms, companyIds: [], userIds });
    }),
  );
}

/** Sets who leads the selected learners; null for nobody. */
export const setManagerOfLearners = (ctx: Ctx<User>, { ids, filter, managerId }: BodyOf<typeof learners.setManager>) =>
  setManager(ctx, managerId, (tx) => listSelectedLearners({ ...ctx, db: tx }, { ids, filter }));
