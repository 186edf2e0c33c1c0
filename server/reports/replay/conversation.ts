import { sql } from "kysely";
import { record, recordView } from "#server/audit/service.ts";
import { readRecorded } from "#server/conversations/comparing/recordedAnswer.ts";
import { refuseHiddenConversation, selectTranscripts } from "#server/conversations/transcripts.ts";
import { toReadTurn } from "#server/conversations/turnRows.ts";
import { inTransaction } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import {
  maskedVariable,
  ofConversation,
  readShownValues,
  readValuesOf,
  variableColumns,
} from "#server/reports/replay/values.ts";
import { readAcademyZone } from "#server/settings/service.ts";
import { readValuesAt } from "#server/variables/valuesAt.ts";
import type { ConversationReplay, conversationReplays } from "#shared/reports/replays.ts";
import type { BodyOf, QueryOf, Reply } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import type { VariableValue } from "#shared/variables/variableTypes.ts";

/** A conversation in the scope of the user; 404 for others, and if it was deleted or its person erased. */
async function findConversation(ctx: Ctx<User>, id: string) {
  await refuseHiddenConversation(ctx, id);
  return selectFound(ctx, id);
}
const selectFound = ({ db, user }: Ctx<User>, id: string) =>
  selectTranscripts(db, user)
    .where("conversations.id", "=", id)
    .select([
      sql<ConversationReplay["person"]>`case
        when users.id is not null
        then jsonb_build_object('id', users.id, 'name', coalesce(nullif(users.name, ''), users.email))
      end`.as("person"),
      "companies.name as company",
      "companies.timezone",
      "conversations.channel",
      "conversations.isPreview",
      "version.number as version",
      "conversations.sessionId",
      "conversations.userId",
      "conversations.companyId",
      "conversations.attemptId",
      sql<string[]>`array(
        select jsonb_array_elements_text(settings->'readVariableIds' || (settings->'writeVariableIds'))
        from (select coalesce(version.settings, chatbots.settings) as settings) used
      )`.as("variableIds"),
    ])
    .executeTakeFirstOrThrow(notFound);
type FoundConversation = Awaited<ReturnType<typeof findConversation>>;

/** What a replay of a conversation starts with. The audit log shows the learner who opened it. */
export async function readConversationReplay(ctx: Ctx<User>, id: string): Promise<ConversationReplay> {
  const conversation = await findConversation(ctx, id);
  const { userId, companyId, courseId } = conversation;
  await recordView(ctx, "conversations.replay", userId, { companyId, courseId, conversationId: id });
  const { attemptId: _, variableIds: __, userId: ___, companyId: ____, timezone, ...shown } = conversation;
  const zone = timezone ?? (await readAcademyZone(ctx.db));
  return { ...shown, zone, variables: await listVariables(ctx, conversation), openedAt: new Date().toISOString() };
}

/** The variables that the chatbot may read or write, and those that were set in the conversation. */
async function listVariables(ctx: Ctx<User>, conversation: FoundConversation) {
  const rows = await ctx.db
    .selectFrom("variables")
    .where((e) =>
      e.or([
        isOneOf("variables.id", conversation.variableIds),
        e(
          "variables.id",
          "in",
          e
            .selectFrom("variableValues")
            .innerJoin("turns", "turns.id", "variableValues.turnId")
            .where("turns.conversationId", "=", conversation.id)
            .select("variableId")
            .distinct(),
        ),
      ]),
    )
    .orderBy("variables.label")
    .orderBy("variables.id")
    .select(["variables.key", ...variableColumns])
    .execute();
  const ids = rows.map((row) => row.id);
  const start = await readStartValues(ctx, conversation, ids);
  return rows.map((row) => ({ ...row, start: row.privacy === "sensitive" ? null : (start.get(row.id) ?? null) }));
}

/** The values that variables had when the conversation began; none for a visitor. */
async function readStartValues(
  { db }: Pick<Ctx, "db">,
  { userId, companyId, courseId, attemptId, startedAt }: FoundConversation,
  variableIds: string[],
): Promise<Map<string, VariableValue>> {
  if (!userId || !companyId) return new Map();
  return readValuesAt(db, { userId, companyId, courseId, attemptId }, variableIds, startedAt);
}

/** One page of the turns of a conversation with their times. */
export async function listConversationTurns(
  ctx: Ctx<User>,
  id: string,
  { page, size }: QueryOf<typeof conversationReplays.conversationTurns>,
): Promise<Reply<typeof conversationReplays.conversationTurns>> {
  await findConversation(ctx, id);
  const turns = ctx.db.selectFrom("turns").where("conversationId", "=", id);
  const { total } = await turns.select((e) => e.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await turns
    .orderBy("number")
    .limit(size)
    .offset((page - 1) * size)
    .selectAll()
    .select(sql<string | null>`(select label from button_prompts where id = turns.button_id)`.as("button"))
    .execute();
  const answers = rows.filter(({ role }) => role === "assistant");
  const facts = await readRecorded(ctx.db, answers);
  return {
    items: rows.map((row) => ({
      ...toReadTurn(row),
      button: row.button,
      ratingReason: row.ratingReason,
      ratingText: row.ratingText,
      facts: facts.get(row.id) ?? null,
    })),
    total,
  };
}

export async function listConversationValues(
  ctx: Ctx<User>,
  id: string,
  { after }: QueryOf<typeof conversationReplays.conversationValues>,
): Promise<Reply<typeof conversationReplays.conversationValues>> {
  await findConversation(ctx, id);
  return readShownValues(ctx.db, ofConversation(id), after);
}

/** The values of a sensitive variable in a conversation. The audit log records who saw them and why. */
export async function revealConversationValues(
  ctx: Ctx<User>,
  id: string,
  { variableId, reason }: BodyOf<typeof conversationReplays.revealConversationValues>,
) {
  const conversation = await findConversation(ctx, id);
  const { userId, companyId, courseId } = conversation;
  return inTransaction(ctx.db, async (tx) => {
    const { key } = await maskedVariable(tx, variableId);
    await record(tx, ctx, {
      action: "reports.reveal",
      ...(userId && { people: [userId] }),
      companyId,
      courseId,
      details: { variable: key, reason },
    });
    const start = await readStartValues({ db: tx }, conversation, [variableId]);
    return {
      start: start.get(variableId) ?? null,
      values: await readValuesOf(tx, ofConversation(id), variableId),
    };
  });
}
