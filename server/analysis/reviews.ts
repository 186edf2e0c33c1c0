import { sql } from "kysely";
import { recordView } from "#server/audit/service.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { forbidden, notFound } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import { isOneOf, searchFor } from "#server/core/database/listing.ts";
import { isShown } from "#server/core/database/measured.ts";
import { refuseHiddenConversation } from "#server/conversations/transcripts.ts";
import { readTurns, selectConversations, shownBranch, toReadTurn } from "#server/conversations/turnRows.ts";
import { TEMPLATE_WORDS } from "#server/variables/templates.ts";
import type { analysis } from "#shared/analysis/analysis.ts";
import type { CriterionScore, Review, Scoring } from "#shared/analysis/reviews.ts";
import type { QueryOf } from "#shared/core/route.ts";
import { templateText } from "#shared/variables/templates.ts";
import { isAdmin, type User } from "#shared/core/users.ts";

/** States of an answer that leave the question unanswered. */
const UNANSWERED = sql`'refused', 'limited', 'failed', 'blocked'`;
/** The settings of a conversation: those of its version, or of the draft. */
const settings = sql`coalesce(version.settings, chatbots.settings)`;
const SCOPE = { company: "conversations.companyId", person: "conversations.userId" };

/** Conversations to look back at, newest first: one's own or, for admins, those of one learner. */
export async function listReviews(ctx: Ctx<User>, { q, userId, page, size }: QueryOf<typeof analysis.reviews>) {
  if (userId !== undefined && userId !== ctx.user.id && !isAdmin(ctx.user)) throw forbidden();
  let rows = selectConversations(ctx.db)
    .where("conversations.userId", "=", userId ?? ctx.user.id)
    .where(inScope(ctx.user, SCOPE))
    .where(isShown(ctx.user, "conversations", SCOPE.company))
    .where("conversations.isPreview", "=", false)
    .where("conversations.questions", ">", 0);
  if (q) rows = rows.where(searchFor(q, ["conversations.title", "chatbots.name"]));
  const { total } = await ctx.db
    .selectFrom(rows.as("found"))
    .select((e) => e.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const items = await rows
    .select(
      sql<number>`(
        select count(*)::int
        from turns question
        where question.conversation_id = conversations.id
          and question.role = 'user'
          and exists (
            select
            from turns answer
            where answer.parent_id = question.id
              and answer.state in (${UNANSWERED})
          )
          and not exists (
            select
            from turns answer
            where answer.parent_id = question.id
              and answer.state not in (${UNANSWERED})
          )
      )`.as("unanswered"),
    )
    .orderBy("conversations.lastAt", "desc")
    .orderBy("conversations.id")
    .limit(size)
    .offset((page - 1) * size)
    .execute();
  return { items, total };
}

/** One's own conversation or, for admins, anybody's in scope. The audit log records what admins read. */
export async function readReview(ctx: Ctx<User>, id: string): Promise<Review> {
  await refuseHiddenConversation(ctx, id);
  const row = await selectConversations(ctx.db)
    .innerJoin("users", "users.id", "conversations.userId")
    .leftJoin("companies", "companies.id", "conversations.companyId")
    .leftJoin("conversationFeedback as feedback", "feedback.conversationId", "conversations.id")
    .where("conversations.id", "=", id)
    .where("conversations.isPreview", "=", false)
    .where(inScope(ctx.user, SCOPE))
    .where(isShown(ctx.user, "conversations", SCOPE.company))
    .select([
      sql<Review["person"]>`jsonb_build_object(
        'id', users.id,
        'name', coalesce(nullif(users.name, ''), users.email),
        'email', users.email
      )`.as("person"),
      "companies.name as company",
      "conversations.companyId",
      "conversations.sessionId",
      "conversations.userId",
      "feedback.content",
      "feedback.model",
      "feedback.createdAt as feedbackAt",
      "feedback.objection",
      sql<Scoring["criteria"]>`${settings}->'rubric'`.as("rubric"),
      sql<CriterionScore[] | null>`(
        select scores
        from rubric_scores
        where rubric_scores.conversation_id = conversations.id
          and rubric_scores.reviewer_id = ${ctx.user.id}
      )`.as("ownScores"),
      sql<boolean>`jsonb_array_length(${settings}->'rubric') > 0
        and exists (
          select
          from connectors
          where status = 'active'
            and kind not in ('builtin', 'local')
            and (is_default or id::text = ${settings}->>'connectorId')
        )`.as("canHaveFeedback"),
    ])
    .executeTakeFirstOrThrow(notFound);
  const { companyId, userId, content, model, feedbackAt, objection, rubric, ownScores, ...shown } = row;
  if (userId)
    await recordView(ctx, "conversations.open", userId, { companyId, courseId: row.courseId, conversationId: id });
  const all = await readTurns(ctx.db, id);
  const turns = shownBranch(all).map((row) => toReadTurn(row));
  const messages = turns.filter(({ role }) => role === "user");
  const answers = turns.filter(({ role, parentId }) => role === "assistant" && parentId !== null);
  const feedback =
    content && model && feedbackAt ? { ...content, model, createdAt: feedbackAt, objection: objection ?? "" } : null;
  const scores = userId !== ctx.user.id && isAdmin(ctx.user) && rubric.length > 0;
  const isFeedbackHidden = scores && feedback !== null && ownScores === null;
  const spanMs = Date.parse(row.lastAt) - Date.parse(row.startedAt);
  return {
    ...shown,
    turns,
    counts: {
      words: messages.reduce((sum, { text }) => sum + text.split(/\s+/).filter(Boolean).length, 0),
      answered: answers.filter(({ state }) => state === "done").length,
      refused: answers.filter(({ state }) => state === "refused").length,
      minutes: Math.round(spanMs / 6000) / 10,
    },
    values: await readValues(
      ctx,
      all.map((turn) => turn.id),
    ),
    readers: userId ? await readReaders(ctx, id, userId) : [],
    feedback: isFeedbackHidden ? null : feedback,
    scoring: scores ? { criteria: rubric, own: ownScores, isFeedbackHidden } : null,
  };
}

async function readValues({ db, user }: Ctx<User>, turnIds: string[]): Promise<Review["values"]> {
  if (turnIds.length === 0) return [];
  const rows = await db
    .selectFrom("variableValues as value")
    .innerJoin("variables", "variables.id", "value.variableId")
    .where(isOneOf("value.turnId", turnIds))
    .where("value.refusal", "is", null)
    .where("value.deletionId", "is", null)
    .where(
      user.role === "admin" ? sql<boolean>`variables.privacy <> 'sensitive'` : sql<boolean>`variables.learner_visible`,
    )
    .select(["variables.label", "variables.type", "variables.unit", "value.value", "value.turnId"])
    .orderBy("value.id")
    .execute();
  return rows.map(({ label, turnId, ...value }) => ({
    label,
    turnId: turnId as string,
    value: templateText(value, { booleans: TEMPLATE_WORDS.booleans }),
  }));
}

/** Admins who opened this conversation. */
async function readReaders({ db }: Ctx<User>, id: string, userId: string): Promise<Review["readers"]> {
  return db
    .selectFrom("auditEntries")
    .leftJoin("users", "users.id", "auditEntries.actorId")
    .where("auditEntries.personId", "=", userId)
    .where("auditEntries.action", "in", ["conversations.open", "conversations.replay", "conversations.compare"])
    .where(sql<boolean>`audit_entries.details->>'conversation' = ${id}`)
    .select([sql<string>`coalesce(nullif(users.name, ''), users.email, '')`.as("name"), "auditEntries.at"])
    .orderBy("auditEntries.at", "desc")
    .limit(1000)
    .execute();
}
