import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { draftOf, type OpenBot } from "#server/chatbots/botAccess.ts";
import { readBot } from "#server/chatbots/botRows.ts";
import { complete } from "#server/connectors/gateway.ts";
import { GatewayError } from "#server/connectors/gatewayCall.ts";
import { type Db, inTransaction } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { readPrompt } from "#server/conversations/context.ts";
import { instructionsFor } from "#server/conversations/instructions.ts";
import { PASSAGES } from "#server/conversations/passages.ts";
import { citeSources } from "#server/conversations/sources.ts";
import { retrieve, toQuotable } from "#server/documents/retrieval/retrieve.ts";
import { type BotQuestion, type botQuestions, MAX_BOT_QUESTIONS } from "#shared/chatbots/botQuestions.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

const selectQuestions = (db: Db, chatbotId: string) =>
  db
    .selectFrom("chatbotQuestions")
    .where("chatbotId", "=", chatbotId)
    .select(["id", "question", "documentIds", "facts", "expectsRefusal"])
    .select(
      sql<BotQuestion["results"]>`coalesce((
        select jsonb_agg(
          jsonb_build_object(
            'of', result.tested,
            'passed', result.passed,
            'passedBefore', result.passed_before,
            'answer', result.answer,
            'missing', result.missing,
            'testedAt', result.tested_at)
          order by result.tested)
        from chatbot_question_results result
        where result.question_id = chatbot_questions.id
      ), '[]')`.as("results"),
    );
const readQuestion = (db: Db, chatbotId: string, id: string): Promise<BotQuestion> =>
  selectQuestions(db, chatbotId).where("id", "=", id).executeTakeFirstOrThrow(notFound);

export async function listQuestions({ db, user }: Ctx<User>, chatbotId: string) {
  await readBot(db, chatbotId, user);
  return { items: await selectQuestions(db, chatbotId).orderBy("createdAt").orderBy("id").execute() };
}

export async function addQuestion(ctx: Ctx<User>, chatbotId: string, input: BodyOf<typeof botQuestions.add>) {
  await readBot(ctx.db, chatbotId, ctx.user);
  return inTransaction(ctx.db, async (tx) => {
    await tx
      .selectFrom("chatbots")
      .where("id", "=", chatbotId)
      .select("id")
      .forUpdate()
      .executeTakeFirstOrThrow(notFound);
    const { count } = await tx
      .selectFrom("chatbotQuestions")
      .where("chatbotId", "=", chatbotId)
      .select((e) => e.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    if (count >= MAX_BOT_QUESTIONS) throw conflict("chatbots.tooManyQuestions", { max: MAX_BOT_QUESTIONS });
    const { id } = await tx
      .insertInto("chatbotQuestions")
      .values({ ...input, chatbotId, createdBy: ctx.user.id })
      .returning("id")
      .executeTakeFirstOrThrow();
    await record(tx, ctx, { action: "chatbots.questions", object: { chatbots: chatbotId } });
    return readQuestion(tx, chatbotId, id);
  });
}

export async function removeQuestion(ctx: Ctx<User>, chatbotId: string, id: string) {
  await readBot(ctx.db, chatbotId, ctx.user);
  await inTransaction(ctx.db, async (tx) => {
    await readQuestion(tx, chatbotId, id);
    await tx.deleteFrom("chatbotQuestions").where("id", "=", id).execute();
    await record(tx, ctx, { action: "chatbots.questions", object: { chatbots: chatbotId } });
  });
}

/** The settings to test: the draft, or the live version. */
async function readTested(
  { db, user }: Pick<Ctx<User>, "db" | "user">,
  chatbotId: string,
  of: "draft" | "live",
): Promise<OpenBot> {
  const bot = await readBot(db, chatbotId, user);
  if (of === "draft") return draftOf(bot);
  if (!bot.live) throw conflict("chatbots.notPublished");
  const { name, settings } = await db
    .selectFrom("chatbotVersions")
    .where("id", "=", bot.live.id)
    .select(["name", "settings"])
    .executeTakeFirstOrThrow(notFound);
  return { id: chatbotId, name, versionId: bot.live.id, settings };
}

type Answer = { text: string; isRefused: boolean; documentIds: string[] };

/** Answers as in a conversation, but without a person, course or history. If the model fails, the answer is empty. */
async function answerOnce(ctx: Ctx<User>, bot: OpenBot, question: string): Promise<Answer> {
  const { settings } = bot;
  const passages =
    settings.documentIds.length === 0
      ? []
      : await retrieve(ctx, {
          question,
          documentIds: settings.documentIds,
          companyId: null,
          isPublic: settings.access === "public",
          limit: PASSAGES,
        });
  const prompt = await readPrompt(ctx.db, settings.promptId, null);
  const situation = {
    settings,
    prompt: prompt.text,
    passages,
    values: prompt.values,
    course: null,
    hintStep: 0,
    task: "",
  };
  try {
    const completion = await complete(ctx, {
      purpose: "test",
      connectorId: settings.connectorId,
      model: settings.model,
      companyId: null,
      userId: ctx.user.id,
      chatbotId: bot.id,
      messages: [
        { role: "system", content: instructionsFor(situation, bot.name) },
        { role: "user", content: question },
      ],
      passages: toQuotable(passages),
      maxOutputTokens: settings.limits.outputTokens,
      ...(settings.temperature !== null && { temperature: settings.temperature }),
    });
    const { text, sources } = citeSources(completion.text, passages);
    const quoted = passages.filter(({ id }) => completion.quotes.some(({ passageId }) => passageId === id));
    const documentIds = [...sources, ...quoted].map(({ documentId }) => documentId);
    return { text, isRefused: completion.reason === "refused", documentIds };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { text: "", isRefused: false, documentIds: [] };
  }
}

/** Runs a test question, and stores the result and whether the previous run passed. */
export async function runQuestion(
  ctx: Ctx<User>,
  chatbotId: string,
  id: string,
  { of }: BodyOf<typeof botQuestions.run>,
): Promise<BotQuestion> {
  const testQuestion = await readQuestion(ctx.db, chatbotId, id);
  const bot = await readTested(ctx, chatbotId, of);
  if (bot.settings.pedagogy === "scene") throw conflict("chatbots.sceneUntested");
  const answer = await answerOnce(ctx, bot, testQuestion.question);
  const answerText = answer.text.toLowerCase();
  const missing = testQuestion.expectsRefusal
    ? []
    : [
        ...(await titlesOf(
          ctx.db,
          testQuestion.documentIds.filter((one) => !answer.documentIds.includes(one)),
        )),
        ...testQuestion.facts.filter((fact) => !answerText.includes(fact.toLowerCase())),
      ];
  const isAnswered = !answer.isRefused && answer.text !== "";
  const result = {
    passed: testQuestion.expectsRefusal ? answer.isRefused : isAnswered && missing.length === 0,
    answer: answer.isRefused ? "" : answer.text,
    missing,
    testedAt: new Date().toISOString(),
  };
  await ctx.db
    .insertInto("chatbotQuestionResults")
    .values({ questionId: id, tested: of, ...result })
    .onConflict((clash) =>
      clash
        .columns(["questionId", "tested"])
        .doUpdateSet({ ...result, passedBefore: sql`chatbot_question_results.passed` }),
    )
    .execute();
  return readQuestion(ctx.db, chatbotId, id);
}

async function titlesOf(db: Db, documentIds: string[]) {
  if (documentIds.length === 0) return [];
  const rows = await db
    .selectFrom("documents")
    .where("id", "in", documentIds)
    .select("title")
    .orderBy("title")
    .execute();
  return rows.map(({ title }) => title);
}
