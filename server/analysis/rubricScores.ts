import { sql } from "kysely";
import { weightedKappa } from "#server/analysis/kappa.ts";
import { readReview } from "#server/analysis/reviews.ts";
import { record } from "#server/audit/service.ts";
import { inTransaction } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import { type CriterionScore, MIN_SCORED, type Review, type RubricAgreement } from "#shared/analysis/reviews.ts";
import type { User } from "#shared/core/users.ts";

/** Stores the scores of an admin, once: afterwards they see those of the model. Each criterion has a score. */
export async function scoreConversation(ctx: Ctx<User>, id: string, scores: CriterionScore[]): Promise<Review> {
  return saveScores(ctx, id, scores);
}

/** Shows the feedback to an admin who does not want to score. */
export async function skipScoring(ctx: Ctx<User>, id: string): Promise<Review> {
  return saveScores(ctx, id, []);
}

async function saveScores(ctx: Ctx<User>, id: string, scores: CriterionScore[]): Promise<Review> {
  return inTransaction(ctx.db, async (tx) => {
    const own = { ...ctx, db: tx };
    const { scoring, person } = await readReview(own, id);
    if (!scoring) throw conflict("analysis.notScorable");
    const asked = scoring.criteria.map((criterion) => criterion.id).toSorted();
    const given = scores.map((score) => score.id).toSorted();
    if (given.length > 0 && given.join("\n") !== asked.join("\n")) throw badField("scores", "analysis.scoreEach");
    const added = await tx
      .insertInto("rubricScores")
      .values({ conversationId: id, reviewerId: ctx.user.id, scores: JSON.stringify(scores) })
      .onConflict((clash) => clash.doNothing())
      .executeTakeFirst();
    if (added.numInsertedOrUpdatedRows === 0n) throw conflict("analysis.alreadyScored");
    if (given.length > 0) await record(tx, ctx, { action: "analysis.score", people: person ? [person.id] : [] });
    return readReview(own, id);
  });
}

/** The conversations of a chatbot with the same criteria, and how often each pair of values occurs. */
type Group = Pick<RubricAgreement, "chatbotId" | "chatbot" | "fromVersion" | "toVersion" | "conversations" | "next"> & {
  rubric: { id: string; name: string }[];
  /** `person` is null where nobody has scored yet. */
  values: { id: string; model: number; person: number | null; count: number }[] | null;
};

/**
 * Agreement by chatbot and wording of the criteria: a changed name or description begins anew. Of several people who
 * have scored a conversation, the first one counts, so that pairs are independent.
 */
export async function readAgreement(ctx: Ctx<User>): Promise<{ items: RubricAgreement[] }> {
  const scope = inScope(ctx.user, { company: "c.companyId", person: "c.userId" });
  // A random conversation that the reader has not seen is the next one; the hash makes it the same for everybody.
  const { rows } = await sql<Group>`with found as (
      select c.chatbot_id, md5((v.settings->'rubric')::text) as rubric_key, v.number as version, c.id as conversation_id, f.content->'scores' as model,
        (select s.scores from rubric_scores s where s.conversation_id = c.id and s.scores <> '[]' order by s.created_at, s.id limit 1) as person,
        c.user_id = ${ctx.user.id} or exists (select from rubric_scores s where s.conversation_id = c.id and s.reviewer_id = ${ctx.user.id}) as is_seen
      from conversation_feedback f join conversations c on c.id = f.conversation_id join chatbot_versions v on v.id = c.version_id
      where not c.is_preview and jsonb_array_length(v.settings->'rubric') > 0 and ${scope}
    ), counts as (
      select chatbot_id, rubric_key, by_model->>'id' as id, (by_model->>'value')::int as model, (by_person->>'value')::int as person, count(*)::int as count
      from found cross join lateral jsonb_array_elements(model) by_model
      left join lateral jsonb_array_elements(person) by_person on by_person->>'id' = by_model->>'id' group by 1, 2, 3, 4, 5
    ), groups as (
      select chatbot_id, rubric_key, min(version)::int as from_version, max(version)::int as to_version, count(*)::int as conversations,
        (array_agg(conversation_id order by md5(conversation_id::text)) filter (where not is_seen))[1] as next
      from found group by 1, 2
    )
    select g.chatbot_id, b.name as chatbot, v.settings->'rubric' as rubric, g.from_version, g.to_version, g.conversations, g.next,
      (select jsonb_agg(jsonb_build_object('id', id, 'model', model, 'person', person, 'count', count)) from counts
        where counts.chatbot_id = g.chatbot_id and counts.rubric_key = g.rubric_key) as values
    from groups g join chatbots b on b.id = g.chatbot_id join chatbot_versions v on v.chatbot_id = g.chatbot_id and v.number = g.to_version
    order by lower(b.name), g.to_version desc`.execute(ctx.db);
  return { items: rows.map(describeGroup) };
}

function describeGroup({ rubric, values, ...group }: Group): RubricAgreement {
  const criteria = rubric.map(({ id, name }) => {
    const given = (values ?? []).filter((value) => value.id === id);
    const pairs = given.flatMap(({ model, person, count }) =>
      person === null ? [] : Array.from({ length: count }, (): [number, number] => [model, person]),
    );
    const total = given.reduce((sum, { count }) => sum + count, 0);
    const sum = given.reduce((value, { model, count }) => value + model * count, 0);
    const isShown = pairs.length >= MIN_SCORED && total > 0;
    return { id, name, n: pairs.length, kappa: weightedKappa(pairs), average: isShown ? sum / total : null };
  });
  return { ...group, criteria };
}
