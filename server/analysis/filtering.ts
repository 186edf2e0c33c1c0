import { sql } from "kysely";
import type { Ctx } from "#server/core/http.ts";
import { inScope } from "#server/core/scope.ts";
import type { AnalyticsFilter } from "#shared/analysis.ts";
import type { User } from "#shared/users.ts";

/** Conversations of a filter: without previews, with at least one message, begun in its days. */
export const selectFiltered = (ctx: Ctx<User>, { from, to, zone, chatbotId, companyId, courseId }: AnalyticsFilter) =>
  ctx.db
    .selectFrom("conversations")
    .where("isPreview", "=", false)
    .where("questions", ">", 0)
    .where(inScope(ctx.user, { company: "conversations.companyId", person: "conversations.userId" }))
    .where(sql<boolean>`conversations.started_at >= (${from}::date::timestamp at time zone ${zone})`)
    .where(sql<boolean>`conversations.started_at < ((${to}::date + 1)::timestamp at time zone ${zone})`)
    .$if(chatbotId !== undefined, (all) => all.where("chatbotId", "=", chatbotId as string))
    .$if(companyId !== undefined, (all) => all.where("companyId", "=", companyId as string))
    .$if(courseId !== undefined, (all) => all.where("courseId", "=", courseId as string));
