import type { Ctx } from "#server/core/http/http.ts";
import { previewReminders, remindOverdue } from "#server/courses/reminders/service.ts";
import { isLedBy } from "#server/managers/scope.ts";
import type { TeamReminder } from "#shared/team/team.ts";
import type { User } from "#shared/core/users.ts";

/** The same limits and log as reminders of admins, for one's own people and in one's own company. */
const targetOf = (user: User, { ids, courseId }: TeamReminder) => ({
  companyId: user.companyId as string,
  courseId,
  ...(ids && { userIds: ids }),
  scope: isLedBy(user, "enrolments.userId"),
});

export const previewTeamReminders = (ctx: Ctx<User>, body: TeamReminder) =>
  previewReminders(ctx, targetOf(ctx.user, body));

export const remindTeam = (ctx: Ctx<User>, body: TeamReminder) => remindOverdue(ctx, targetOf(ctx.user, body));
