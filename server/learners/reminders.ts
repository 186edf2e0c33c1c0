import type { Ctx } from "#server/core/http/http.ts";
import { previewReminders, remindOverdue } from "#server/courses/reminders/service.ts";
import { listSelectedLearners } from "#server/learners/learnerRows.ts";
import type { learners } from "#shared/learners/learners.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

// Reminders of overdue courses for a selection of learners; courses/reminders reminds by course and company.

type Body = BodyOf<typeof learners.remind>;

async function targetOf(ctx: Ctx<User>, { ids, filter, ...limits }: Body) {
  // Only overdue learners can be reminded, and there are fewer of them than learners that match.
  const narrowed = filter && { ...filter, progress: filter.progress ?? "overdue" };
  return { ...limits, userIds: await listSelectedLearners(ctx, { ids, filter: narrowed }) };
}

export const previewLearnerReminders = async (ctx: Ctx<User>, body: Body) =>
  previewReminders(ctx, await targetOf(ctx, body));

export const remindLearners = async (ctx: Ctx<User>, body: Body) => remindOverdue(ctx, await targetOf(ctx, body));
