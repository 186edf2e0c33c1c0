import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { notFound } from "#server/core/http/problem.ts";
import { type TurnRow, toTurn } from "#server/conversations/turnRows.ts";
import type { ComparedAnswer } from "#shared/conversations/answerComparisons.ts";

/** The answers to a question, in chronological order. */
export const answersTo = (turns: TurnRow[], questionId: string) =>
  turns.filter(({ parentId, role }) => role === "assistant" && parentId === questionId);

/** The named answer, or the newest; null if there is none. 404 for an answer to something else. */
export function chooseAnswer(answers: TurnRow[], answerId: string | null): TurnRow | null {
  if (answerId === null) return answers.at(-1) ?? null;
  const found = answers.find(({ id }) => id === answerId);
  if (!found) throw notFound();
  return found;
}

/** Recorded answers for comparison, by id, with the versions of chatbot and prompt. */
export async function readRecorded(db: Db, answers: TurnRow[]): Promise<Map<string, ComparedAnswer>> {
  if (answers.length === 0) return new Map();
  const rows = await db
    .selectFrom("turns")
    .innerJoin("conversations", "conversations.id", "turns.conversationId")
    .leftJoin("chatbotVersions as version", "version.id", "conversations.versionId")
    .leftJoin("aiUsage", "aiUsage.id", "turns.usageId")
    .leftJoin("connectors as first", "first.id", "aiUsage.fallbackFor")
    .leftJoin("promptVersions", "promptVersions.id", "aiUsage.promptVersionId")
    .leftJoin("prompts", (join) =>
      join.on(
        sql<boolean>`prompts.id = coalesce(prompt_versions.prompt_id, nullif(version.settings->>'promptId', '')::uuid)
          and turns.usage_id is not null`,
      ),
    )
    .where(
      "turns.id",
      "in",
      answers.map(({ id }) => id),
    )
    .select([
      "turns.id",
      "version.number as version",
      "first.name as insteadOf",
      sql<ComparedAnswer["prompt"]>`case when prompts.id is not null then
        jsonb_build_object('name', prompts.name, 'number', prompt_versions.number) end`.as("prompt"),
    ])
    .execute();
  const byId = new Map(rows.map(({ id, ...versions }) => [id, versions]));
  return new Map(
    answers.flatMap((answer) => {
      const versions = byId.get(answer.id);
      return versions ? [[answer.id, { ...versions, ...factsOf(answer) }] as const] : [];
    }),
  );
}

function factsOf(answer: TurnRow) {
  const since = (at: string | null) => (at === null ? null : Date.parse(at) - Date.parse(answer.createdAt));
  const { state, text, code, sources, options } = toTurn(answer);
  return {
    state,
    text,
    code: code as ComparedAnswer["code"],
    sources,
    options,
    connector: answer.connector,
    model: answer.model,
    passages: answer.why?.passages ?? [],
    retrievalMs: answer.why?.retrievalMs ?? null,
    firstMs: since(answer.firstAt),
    totalMs: since(answer.finishedAt),
    tokensIn: answer.tokensIn,
    tokensOut: answer.tokensOut,
    costMicros: answer.costMicros,
  };
}
