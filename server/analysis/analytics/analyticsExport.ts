import { readAnalytics } from "#server/analysis/analytics/analytics.ts";
import { record } from "#server/audit/service.ts";
import { exportRows } from "#server/core/export/exportRows.ts";
import type { Ctx } from "#server/core/http/http.ts";
import texts from "#shared/locales/en/analysis.json" with { type: "json" };
import type { analyticsRows, ConversationFigures } from "#shared/analysis/conversationAnalytics.ts";
import type { QueryOf } from "#shared/core/route.ts";
import { fillText } from "#shared/variables/templates.ts";
import type { User } from "#shared/core/users.ts";

const { analytics: names } = texts;
const MICROS = 1_000_000;
type Row = Partial<Omit<ConversationFigures, "tokens">> & { by: string; name: string; tokens?: number };

/** A figure of a row; empty if it has none. Shares are between 0 and 1. */
const figure = (key: Exclude<keyof ConversationFigures, "costMicros">) => (row: Row) => row[key] ?? null;

/** The tables of the analytics as one sheet, with the rows that the page shows for the filter. */
export async function exportAnalytics(ctx: Ctx<User>, { format, ...filter }: QueryOf<typeof analyticsRows.export>) {
  const data = await readAnalytics(ctx, filter);
  const rows: Row[] = [
    ...data.chatbots.map((row) => ({ by: names.chatbot, ...row })),
    ...data.companies.map((row) => ({ by: names.company, ...row, name: row.name || names.noCompany })),
    ...data.courses.map((row) => ({ by: names.course, ...row, name: row.name || names.noCourse })),
    ...data.models.map(({ model, ...row }) => ({ by: names.model, name: model, ...row })),
    ...data.prompts.map(({ name, number, ...row }) => ({
      by: names.prompt,
      ...row,
      name: fillText(names.promptVersion, { name, number }),
    })),
    ...data.days.map(({ day, count }) => ({ by: names.day, name: day, conversations: count })),
    ...data.hours
      .toSorted((a, b) => a.weekday - b.weekday || a.hour - b.hour)
      .map(({ weekday, hour, count }) => ({
        by: names.hour,
        name: `${names.weekdays[String(weekday) as "1"]} ${String(hour).padStart(2, "0")}:00`,
        questions: count,
      })),
  ];
  await record(ctx.db, ctx, { action: "analysis.export", details: { rows: rows.length, format } });
  const each = async function* () {
    yield rows;
  };
  return exportRows<Row>(
    "conversation-analytics",
    format,
    each(),
    [
      [names.by, ({ by }) => by],
      [names.name, ({ name }) => name],
      [names.conversations, figure("conversations")],
      [names.people, figure("people")],
      [names.messages, figure("questions")],
      [names.ended, figure("ended")],
      [names.goal, figure("goal")],
      [names.ratings, figure("ratings")],
      [names.thumbsUp, figure("thumbsUp")],
      [names.answersHead, figure("answers")],
      [names.noAnswer, figure("noAnswer")],
      [names.fullSolutions, figure("fullSolutions")],
      [names.partialSolutions, figure("partialSolutions")],
      [names.earlySolutions, figure("earlySolutions")],
      [names.firstWordMs, figure("firstWordMs")],
      [names.slowFirstWordMs, figure("slowFirstWordMs")],
      [names.totalMs, figure("totalMs")],
      [names.slowTotalMs, figure("slowTotalMs")],
      [names.tokens, figure("tokens")],
      [names.cost, ({ costMicros }) => (costMicros === undefined ? null : costMicros / MICROS)],
      [names.unpricedAnswers, figure("unpriced")],
    ],
    rows.length,
  );
}
