import { type ExpressionBuilder, type RawBuilder, sql } from "kysely";
import type { Ctx } from "#server/core/http/http.ts";
import type { DB } from "#server/core/database/db.types.ts";
import { badField } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import { isShown } from "#server/core/database/measured.ts";
import { type AnalyticsFilter, MAX_ANALYTICS_DAYS, NONE } from "#shared/analysis/conversationAnalytics.ts";
import type { User } from "#shared/core/users.ts";

const DAY_MS = 86_400_000;
export const afterDays = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** The number of days of a filter. Throws 422 if they are reversed or too many. */
export function readLength({ from, to }: Pick<AnalyticsFilter, "from" | "to">): number {
  const length = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
  if (length < 1) throw badField("to", "analysis.daysReversed");
  if (length > MAX_ANALYTICS_DAYS) throw badField("to", "analysis.tooLong");
  return length;
}

/** SQL condition: a time is in the days of a filter. */
export const isBegunIn = (column: string, { from, to, zone }: Pick<AnalyticsFilter, "from" | "to" | "zone">) => {
  const time = sql.ref(column);
  return sql<boolean>`(
    ${time} >= (${from}::date::timestamp at time zone ${zone})
    and ${time} < ((${to}::date + 1)::timestamp at time zone ${zone})
  )`;
};

/** The conversations of a filter: started in its days, with at least one message, no previews. */
export const selectFiltered = (ctx: Ctx<User>, { chatbotId, companyId, courseId, model, ...filter }: AnalyticsFilter) =>
  ctx.db
    .selectFrom("conversations")
    .where("isPreview", "=", false)
    .where("questions", ">", 0)
    .where(inScope(ctx.user, { company: "conversations.companyId", person: "conversations.userId" }))
    .where(isShown(ctx.user, "conversations", "conversations.companyId"))
    .where(isBegunIn("conversations.started_at", filter))
    .$if(chatbotId !== undefined, (all) => all.where("chatbotId", "=", chatbotId as string))
    .where((e) => isOf(e, "companyId", companyId))
    .where((e) => isOf(e, "courseId", courseId))
    .$if(model !== undefined, (all) => all.where(hasCall(sql`calls.model = ${model}`)));

/** SQL condition on `conversations`: one of their calls of models (`calls`) meets a condition. */
export const hasCall = (condition: RawBuilder<unknown>) =>
  sql<boolean>`exists (
    select
    from conversation_calls calls
    where calls.conversation_id = conversations.id
      and ${condition}
  )`;

function isOf(e: ExpressionBuilder<DB, "conversations">, column: "companyId" | "courseId", id: string | undefined) {
  if (id === undefined) return e.lit(true);
  return id === NONE ? e(`conversations.${column}`, "is", null) : e(`conversations.${column}`, "=", id);
}
