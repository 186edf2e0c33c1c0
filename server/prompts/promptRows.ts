import { sql } from "kysely";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import { keysOfTemplate } from "#shared/variables/templates.ts";
import type { PromptCase, PromptDetail, PromptRow } from "#shared/prompts/prompts.ts";
import { scopeOf, type User } from "#shared/core/users.ts";

/** The chatbots and buttons that use a prompt. Admins of one company see only chatbots for its people. */
function usedBy(user: User) {
  const scope = scopeOf(user);
  const inChatbotScope =
    scope.kind === "company"
      ? sql`chatbots.settings->'companyIds' = jsonb_build_array(${scope.companyId}::text)`
      : sql`${scope.kind === "academy"}`;
  return sql<PromptRow["usedBy"]>`(
    select coalesce(jsonb_agg(to_jsonb(uses) order by uses.kind, lower(uses.label)), '[]')
    from (
      select 'chatbot' as kind, chatbots.id, chatbots.name as label
      from chatbots
      left join chatbot_versions live_bot on live_bot.id = chatbots.live_version_id
      where chatbots.status <> 'archived'
        and ${inChatbotScope}
        and prompts.id::text in (chatbots.settings->>'promptId', live_bot.settings->>'promptId')
      union all
      select 'button', button_prompts.id, button_prompts.label
      from button_prompts
      where button_prompts.prompt_id = prompts.id
        and button_prompts.status <> 'archived'
    ) uses)`;
}

export const selectPrompts = ({ db, user }: Ctx<User>) =>
  db
    .selectFrom("prompts")
    .innerJoin("promptVersions as draft", "draft.id", "prompts.draftVersionId")
    .leftJoin("promptVersions as live", "live.id", "prompts.liveVersionId")
    .leftJoinLateral(
      (e) =>
        e
          .selectFrom("aiUsage")
          .innerJoin("promptVersions", "promptVersions.id", "aiUsage.promptVersionId")
          .whereRef("promptVersions.promptId", "=", "prompts.id")
          .where("at", ">", sql<string>`now() - interval '30 days'`)
          .where(inScope(user, { company: "aiUsage.companyId" }))
          .select([
            sql<number>`count(*)::int`.as("runs"),
            sql<number>`coalesce(sum(cost_micros), 0)::float8 / 1e6`.as("cost"),
          ])
          .as("recent"),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (e) =>
        e
          .selectFrom("promptCases")
          .leftJoin("promptResults", (join) =>
            join
              .onRef("promptResults.caseId", "=", "promptCases.id")
              .on("promptResults.versionId", "=", sql<string>`coalesce(live.id, draft.id)`),
          )
          .whereRef("promptCases.promptId", "=", "prompts.id")
          .select([
            sql<number>`count(*)::int`.as("cases"),
            sql<number>`count(*) filter (where passed)::int`.as("passed"),
          ])
          .as("tests"),
      (join) => join.onTrue(),
    )
    .select([
      "prompts.id",
      "prompts.key",
      "prompts.name",
      "prompts.description",
      "prompts.purpose",
      "prompts.status",
      "prompts.version",
      "prompts.updatedAt",
      "draft.id as draftId",
      "draft.number as draftNumber",
      "draft.body",
      "live.id as liveId",
      "live.number as liveNumber",
      "recent.runs",
      "recent.cost",
      "tests.cases",
      "tests.passed",
      usedBy(user).as("usedBy"),
    ]);
type Row = Awaited<ReturnType<ReturnType<typeof selectPrompts>["execute"]>>[number];

export function describePrompt(row: Row): PromptRow {
  const { draftId, draftNumber, liveId, liveNumber, body, runs, cost, cases, passed, ...rest } = row;
  return {
    ...rest,
    draft: { id: draftId, number: draftNumber },
    live: liveId !== null && liveNumber !== null ? { id: liveId, number: liveNumber } : null,
    keys: keysOfTemplate(body),
    runs: runs ?? 0,
    cost: cost ?? 0,
    cases: cases ?? 0,
    passed: passed ?? 0,
  };
}

export async function readPrompt(ctx: Ctx<User>, id: string): Promise<PromptDetail> {
  const row = await selectPrompts(ctx).where("prompts.id", "=", id).executeTakeFirstOrThrow(notFound);
  const versions = await ctx.db
    .selectFrom("promptVersions")
    .leftJoin("users", "users.id", "promptVersions.createdBy")
    .where("promptId", "=", id)
    .orderBy("number", "desc")
    .select([
      "promptVersions.id",
      "number",
      "body",
      "note",
      "promptVersions.createdAt",
      sql<string | null>`coalesce(nullif(users.name, ''), users.email)`.as("author"),
    ])
    .execute();
  return { ...describePrompt(row), versions, questions: await readCases(ctx, id) };
}

export async function readCases({ db }: Ctx<User>, promptId: string, caseId?: string): Promise<PromptCase[]> {
  let query = db.selectFrom("promptCases").where("promptId", "=", promptId);
  if (caseId) query = query.where("id", "=", caseId);
  const cases = await query.orderBy("createdAt").orderBy("id").selectAll().execute();
  if (cases.length === 0) return [];
  const results = await db
    .selectFrom("promptResults")
    .where(
      "caseId",
      "in",
      cases.map(({ id }) => id),
    )
    .selectAll()
    .execute();
  const byCase = Map.groupBy(results, (result) => result.caseId);
  return cases.map((row) => ({ ...row, results: byCase.get(row.id) ?? [] }));
}
