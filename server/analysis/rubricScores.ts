import { sql } from "kysely";
import { weightedKappa } from "#server/analysis/kappa.ts";
import { readReview } from "#server/analysis/reviews.ts";
import { record } from "#server/audit/service.ts";
import { inTransaction } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import { isShown } from "#server/core/database/measured.ts";
import { type CriterionScore, MIN_SCORED, type Review, type RubricAgreement } from "#shared/analysis/reviews.ts";
import type { User } from "#shared/core/users.ts";

/** Stores the scores of an admin, one for each criterion, once: afterwards the admin sees those of the model. */
export async function scoreConversation(ctx: Ctx<User>, id: string, scores: CriterionScore[]): Promise<Review> {
  return saveScores(ctx, id, scores);
}

/** Shows the feedback to an admin who skips scoring. */
export async function skipScoring(ctx: Ctx<User>, id: string): Promise<Review> {
  return saveScores(ctx, id, []);
}

async function saveScores(ctx: Ctx<User>, id: string, scores: CriterionScore[]): Promise<Review> {
  return inTransaction(ctx.db, async (tx) => {
    const inTx = { ...ctx, db: tx };
    const { scoring, person } = await readReview(inTx, id);
    if (!scoring) throw conflict("analysis.notScorable");
    const criterionIds = scoring.criteria.map((criterion) => criterion.id).toSorted();
    const scoredIds = scores.map((score) => score.id).toSorted();
    if (scores.length > 0 && scoredIds.join("\n") !== criterionIds.join("\n"))
      throw badField("scores", "analysis.scoreEach");
    const added = await tx
      .insertInto("rubricScores")
      .values({ conversationId: id, reviewerId: ctx.user.id, scores: JSON.stringify(scores) })
      .onConflict((clash) => clash.doNothing())
      .executeTakeFirst();
    if (added.numInsertedOrUpdatedRows === 0n) throw conflict("analysis.alreadyScored");
    if (scores.length > 0) await record(tx, ctx, { action: "analysis.score", people: person ? [person.id] : [] });
    return readReview(inTx, id);
  });
}

/** The conversations of a chatbot with the same criteria, and how often each pair of values occurs. */
type Group = Pick<RubricAgreement, "chatbotId" | "chatbot" | "fromVersion" | "toVersion" | "conversations" | "next"> & {
  rubric: { id: string; name: string }[];
  /** `person` is null where nobody has scored yet. */
  values: { id: string; model: number; person: number | null; count: number }[] | null;
};

/**
 * Agreement by chatbot and wording of the criteria: a changed name or description starts a new group. If several people
 * scored a conversation, only the first counts, so that the pairs are independent.
 */
export async function readAgreement(ctx: Ctx<User>): Promise<{ items: RubricAgreement[] }> {
  const isInScope = sql`
        ${inScope(ctx.user, { company: "conversations.companyId", person: "conversations.userId" })}
        and ${isShown(ctx.user, "conversations", "conversations.companyId")}`;
  // `next` is a random conversation that the reader has not seen; the hash makes it the same for everybody.
  const { rows } = await sql<Group>`
    with scored as (
      select
        conversations.chatbot_id,
        md5((version.settings->'rubric')::text) as rubric_key,
        version.number as version,
        conversations.id as conversation_id,
        feedback.content->'scores' as model,
        (
          select scores
          from rubric_scores
          where conversation_id = conversations.id
            and scores <> '[]'
          order by created_at, id
          limit 1
        ) as person,
        conversations.user_id = ${ctx.user.id} or exists (
          select
          from rubric_scores
          where conversation_id = conversations.id
            and reviewer_id = ${ctx.user.id}
        ) as is_seen
      from conversation_feedback feedback
      join conversations on conversations.id = feedback.conversation_id
      join chatbot_versions version on version.id = conversations.version_id
      where not conversations.is_preview
        and jsonb_array_length(version.settings->'rubric') > 0
        and ${isInScope}
    ),
    counts as (
      select
        chatbot_id,
        rubric_key,
        by_model->>'id' as id,
        (by_model->>'value')::int as model,
        (by_person->>'value')::int as person,
        count(*)::int as count
      from scored
      cross join lateral jsonb_array_elements(model) by_model
      left join lateral jsonb_array_elements(person) by_person on by_person->>'id' = by_model->>'id'
      group by 1, 2, 3, 4, 5
    ),
    groups as (
      select
        chatbot_id,
        rubric_key,
        min(version)::int as from_version,
        max(version)::int as to_version,
        count(*)::int as conversations,
        (array_agg(conversation_id order by md5(conversation_id::text)) filter (where not is_seen))[1] as next
      from scored
      group by chatbot_id, rubric_key
    )
    select
      groups.chatbot_id,
      chatbots.name as chatbot,
      version.settings->'rubric' as rubric,
      groups.from_version,
      groups.to_version,
      groups.conversations,
      groups.next,
      (
        select jsonb_agg(jsonb_build_object('id', id, 'model', model, 'person', person, 'count', count))
        from counts
        where counts.chatbot_id = groups.chatbot_id
          and counts.rubric_key = groups.rubric_key
      ) as values
    from groups
    join chatbots on chatbots.id = groups.chatbot_id
    join chatbot_versions version
      on version.chatbot_id = groups.chatbot_id
      and version.number = groups.to_version
    order by lower(chatbots.name), groups.to_version desc`.execute(ctx.db);
  return { items: rows.map(describeGroup) };
}

function describeGroup({ rubric, values, ...group }: Group): RubricAgreement {
  const criteria = rubric.map(({ id, name }) => {
    const ofCriterion = (values ?? []).filter((value) => value.id === id);
    const pairs = ofCriterion.flatMap(({ model, person, count }) =>
      person === null ? [] : Array.from({ length: count }, (): [number, number] => [model, person]),
    );
    const total = ofCriterion.reduce((sum, { count }) => sum + count, 0);
    const sum = ofCriterion.reduce((value, { model, count }) => value + model * count, 0);
    const isShown = pairs.length >= MIN_SCORED && total > 0;
    return { id, name, n: pairs.length, kappa: weightedKappa(pairs), average: isShown ? sum / total : null };
  });
  return { ...group, criteria };
}
