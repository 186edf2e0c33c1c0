import { sql } from "kysely";
import { weightedKappa } from "#server/analysis/kappa.ts";
import { readReview } from "#server/analysis/reviews.ts";
import { record } from "#server/audit/service.ts";
import { inTransaction } from "#server/core/db.ts";
import type { Ctx } from "#server/core/http.ts";
import { badField, conflict } from "#server/core/problem.ts";
import { inScope } from "#server/core/scope.ts";
import { type CriterionScore, MIN_SCORED, type Review, type RubricAgreement } from "#shared/analysis.ts";
import type { User } from "#shared/users.ts";

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

type Row = {
  chatbotId: string;
  chatbot: string;
  rubric: { id: string; name: string }[];
  rubricKey: string;
  version: number;
  conversationId: string;
  model: CriterionScore[];
  person: CriterionScore[] | null;
  isSeen: boolean;
};

/**
 * Agreement by chatbot and wording of the criteria: a changed name or description begins anew. Of several people who have scored a
 * conversation, the first one counts, so that pairs are independent.
 */
export async function readAgreement(ctx: Ctx<User>): Promise<{ items: RubricAgreement[] }> {
  const scope = inScope(ctx.user, { company: "c.companyId", person: "c.userId" });
  const { rows } = await sql<Row>`
    select c.chatbot_id, b.name as chatbot, v.settings->'rubric' as rubric, md5((v.settings->'rubric')::text) as rubric_key, v.number as version,
      c.id as conversation_id, f.content->'scores' as model,
      (select s.scores from rubric_scores s where s.conversation_id = c.id and s.scores <> '[]' order by s.created_at, s.id limit 1) as person,
      c.user_id = ${ctx.user.id} or exists (select from rubric_scores s where s.conversation_id = c.id and s.reviewer_id = ${ctx.user.id}) as is_seen
    from conversation_feedback f join conversations c on c.id = f.conversation_id join chatbots b on b.id = c.chatbot_id
    join chatbot_versions v on v.id = c.version_id
    where not c.is_preview and jsonb_array_length(v.settings->'rubric') > 0 and ${scope}
    order by lower(b.name), c.chatbot_id, md5(c.id::text)`.execute(ctx.db);
  const groups = Map.groupBy(rows, ({ chatbotId, rubricKey }) => `${chatbotId} ${rubricKey}`);
  const items = [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [describeGroup(first, group)] : [];
  });
  return { items: items.toSorted((a, b) => a.chatbot.localeCompare(b.chatbot) || b.toVersion - a.toVersion) };
}

function describeGroup({ chatbotId, chatbot, rubric }: Row, group: Row[]): RubricAgreement {
  const versions = group.map(({ version }) => version).toSorted((a, b) => a - b);
  return {
    chatbotId,
    chatbot,
    fromVersion: versions[0] ?? 0,
    toVersion: versions.at(-1) ?? 0,
    conversations: group.length,
    // They come in the order of a hash: a sample, the same for everybody.
    next: group.find(({ isSeen }) => !isSeen)?.conversationId ?? null,
    criteria: rubric.map(({ id, name }) => {
      const valueOf = (scores: CriterionScore[] | null) => scores?.find((score) => score.id === id)?.value;
      const given = group.flatMap(({ model }) => valueOf(model) ?? []);
      const pairs = group.flatMap(({ model, person }): [number, number][] => {
        const [byModel, byPerson] = [valueOf(model), valueOf(person)];
        return byModel !== undefined && byPerson !== undefined ? [[byModel, byPerson]] : [];
      });
      const isShown = pairs.length >= MIN_SCORED && given.length > 0;
      return {
        id,
        name,
        n: pairs.length,
        kappa: weightedKappa(pairs),
        average: isShown ? given.reduce((sum, value) => sum + value, 0) / given.length : null,
      };
    }),
  };
}
