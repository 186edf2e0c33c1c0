import type { Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { User } from "#shared/core/users.ts";
import type { Assignment } from "#shared/courses/enrolments.ts";

/** The learners of an assignment in the scope of the user. */
export const selectAssignees = (
  tx: Tx,
  user: User,
  { companyIds, userIds }: Pick<Assignment, "companyIds" | "userIds">,
) =>
  tx
    .selectFrom("users")
    .where("users.role", "=", "learner")
    .where(inScope(user, { company: "users.companyId" }))
    .where((e) => e.or([isOneOf("users.companyId", companyIds), isOneOf("users.id", userIds)]));
