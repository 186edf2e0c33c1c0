import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { readCounted, searchFor } from "#server/core/database/listing.ts";
import { announceChange } from "#server/core/live/announcements.ts";
import { notFound, Problem } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import { isOfShownConversation, isShown } from "#server/core/database/measured.ts";
import { DOCUMENT_SCOPE } from "#server/documents/documentRows.ts";
import { notify } from "#server/notifications/notify.ts";
import {
  type QuestionCluster,
  type QuestionClusterDetail,
  LISTED_QUESTIONS,
  type questionClusters,
} from "#shared/analysis/questionClusters.ts";
import type { BodyOf, QueryOf } from "#shared/core/route.ts";
import { scopeOf, type User } from "#shared/core/users.ts";

const SHOWN_CHARS = 500;
const orders = {
  times: sql`times, last_asked_at`,
  "-times": sql`times desc, last_asked_at desc nulls last`,
  lastAskedAt: sql`last_asked_at nulls first`,
  "-lastAskedAt": sql`last_asked_at desc nulls last`,
};

const isAskedInScope = (user: User) => sql`(
      ${inScope(user, { company: "conversations.companyId", person: "conversations.userId" })}
      and ${isShown(user, "conversations", "conversations.companyId")}
    )`;
/**
 * Groups as the user sees them: with the questions of the companies in their scope, and none without such a question.
 * Who asked and in which words is read only for the groups that are shown (`detailsOf`).
 */
export function clustersOf({ user }: Pick<Ctx<User>, "user">) {
  const isAcademy = scopeOf(user).kind === "academy";
  const inCompany = sql`
      join conversations on conversations.id = questions.conversation_id
      where ${isAskedInScope(user)}`;
  const ofAll = sql`
      where ${isOfShownConversation(user, "questions.conversationId")}`;
  // A group with an answer whose questions were all deleted belongs to the academy.
  return sql`
    select
      question_clusters.id,
      question_clusters.created_at,
      question_clusters.chatbot_id,
      chatbots.name as chatbot,
      coalesce(asked.times, 0)::int as times,
      asked.last_asked_at,
      question_clusters.reopened_at,
      question_clusters.owner_id,
      question_clusters.test_question_id,
      case
        when question_clusters.status = 'open' and question_clusters.owner_id is not null then 'assigned'
        else question_clusters.status
      end as status,
      case
        when owner.id is not null
        then jsonb_build_object('id', owner.id, 'name', coalesce(nullif(owner.name, ''), owner.email))
      end as owner
    from question_clusters
    join chatbots on chatbots.id = question_clusters.chatbot_id
    left join users owner on owner.id = question_clusters.owner_id
    left join (
      select
        questions.cluster_id,
        count(distinct questions.question_id) as times,
        max(questions.asked_at) as last_asked_at
      from clustered_questions questions
      ${isAcademy ? ofAll : inCompany}
      group by questions.cluster_id
    ) asked on asked.cluster_id = question_clusters.id
    where asked.times > 0
      or (${sql.lit(isAcademy)} and question_clusters.status = 'answered')`;
}
/** The people of a group `clusters`, and its question: the most typical one in scope, or its test question. */
export function detailsOf({ user }: Pick<Ctx<User>, "user">) {
  const asked = sql`clustered_questions questions
        join conversations on conversations.id = questions.conversation_id`;
  const isOfCluster = sql`questions.cluster_id = clusters.id
          and ${isAskedInScope(user)}`;
  return {
    people: sql`(
        select count(distinct coalesce(conversations.user_id::text, conversations.visitor))
        from ${asked}
        where ${isOfCluster}
      )::int`,
    question: sql`coalesce(
        (
          select left(turns.text, ${SHOWN_CHARS})
          from ${asked}
          join turns on turns.id = questions.question_id
          where ${isOfCluster}
          order by questions.typicality desc, questions.asked_at, questions.turn_id
          limit 1
        ),
        (select question from test_questions where id = clusters.test_question_id),
        ''
      )`,
  };
}
/** All groups with their questions, for a search: their most typical questions are found in one pass. */
const withQuestions = ({ user }: Pick<Ctx<User>, "user">) => sql`
    select clusters.*, coalesce(left(turns.text, ${SHOWN_CHARS}), test_questions.question, '') as question
    from (${clustersOf({ user })}) clusters
    left join (
      select distinct on (questions.cluster_id) questions.cluster_id, questions.question_id
      from clustered_questions questions
      join conversations on conversations.id = questions.conversation_id
      where ${isAskedInScope(user)}
      order by questions.cluster_id, questions.typicality desc, questions.asked_at, questions.turn_id
    ) first on first.cluster_id = clusters.id
    left join turns on turns.id = first.question_id
    left join test_questions on test_questions.id = clusters.test_question_id`;
const columns = ({ people, question }: ReturnType<typeof detailsOf>) => sql`
      id, ${question} as question,
      times, ${people} as people, last_asked_at,
      chatbot_id, chatbot, status, owner, reopened_at`;

export async function listClusters(
  ctx: Ctx<User>,
  { q, status, chatbotId, ownerId, sort, page, size }: QueryOf<typeof questionClusters.list>,
): Promise<{ items: QuestionCluster[]; total: number }> {
  const conditions = [
    status === undefined && sql`status in ('open', 'assigned')`,
    status !== undefined && status !== "all" && sql`status = ${status}`,
    chatbotId && sql`chatbot_id = ${chatbotId}`,
    ownerId && sql`owner_id = ${ownerId}`,
    q && searchFor(q, ["question"]),
  ].filter((one) => typeof one === "object");
  const details = detailsOf(ctx);
  const all = q ? withQuestions(ctx) : clustersOf(ctx);
  return readCounted({ page, size }, (limit, offset) =>
    sql<QuestionCluster & { total: number }>`
      with matching as (
        select *, count(*) over ()::int as total
        from (${all}) clusters
        where ${sql.join([sql`true`, ...conditions], sql` and `)}
        order by ${orders[sort]}, id
        limit ${limit}
        offset ${offset}
      )
      select ${columns(details)}, total
      from matching clusters
      order by ${orders[sort]}, id`.execute(ctx.db),
  );
}

/** A group in the scope of the user; 404 for others. */
export async function getCluster(ctx: Ctx<User>, id: string): Promise<QuestionClusterDetail> {
  const { rows } = await sql<QuestionCluster>`
    select ${columns(detailsOf(ctx))}
    from (${clustersOf(ctx)}) clusters
    where id = ${id}`.execute(ctx.db);
  const [cluster] = rows;
  if (!cluster) throw notFound();
  const questions = await sql<QuestionClusterDetail["asked"][number]>`
    select
      questions.turn_id,
      conversations.id as conversation_id,
      left(turns.text, ${SHOWN_CHARS}) as text,
      questions.asked_at as at
    from clustered_questions questions
    join turns on turns.id = questions.question_id
    join conversations on conversations.id = questions.conversation_id
    where questions.cluster_id = ${id}
      and ${isAskedInScope(ctx.user)}
    order by questions.asked_at desc, questions.turn_id
    limit ${LISTED_QUESTIONS}`.execute(ctx.db);
  const documents = await sql<QuestionClusterDetail["documents"][number]>`
    select documents.id, documents.title, documents.source = 'text' as is_text
    from question_clusters
    join chatbots on chatbots.id = question_clusters.chatbot_id
    left join chatbot_versions live on live.id = chatbots.live_version_id
    join documents on coalesce(live.settings, chatbots.settings)->'documentIds' ? documents.id::text
    where question_clusters.id = ${id}
      and documents.status = 'active'
      and ${inScope(ctx.user, DOCUMENT_SCOPE)}
    order by lower(documents.title)`.execute(ctx.db);
  return { ...cluster, asked: questions.rows, documents: documents.rows, answer: await readAnswer(ctx, id) };
}

type AnswerRow = Omit<NonNullable<QuestionClusterDetail["answer"]>, "testRank"> & {
  isTested: boolean;
  rank: number | null;
};
async function readAnswer(ctx: Ctx<User>, id: string): Promise<QuestionClusterDetail["answer"]> {
  const { rows } = await sql<AnswerRow>`
    select
      documents.id as document_id,
      documents.title,
      answered.number as version,
      answered.state,
      question_clusters.answered_at as at,
      coalesce(nullif(users.name, ''), users.email) as by,
      coalesce(live.settings, chatbots.settings)->'documentIds' ? documents.id::text as is_used,
      test.question_id is not null as is_tested,
      test.rank
    from question_clusters
    join chatbots on chatbots.id = question_clusters.chatbot_id
    left join chatbot_versions live on live.id = chatbots.live_version_id
    join documents on documents.id = question_clusters.document_id
    left join document_versions answered on answered.id = question_clusters.answer_version_id
    left join users on users.id = question_clusters.answered_by
    left join lateral (
      select test_results.question_id, test_results.rank
      from test_results
      join document_versions on document_versions.id = test_results.version_id
      where test_results.question_id = question_clusters.test_question_id
      order by document_versions.number desc
      limit 1
    ) test on true
    where question_clusters.id = ${id}
      and question_clusters.answered_at is not null
      and ${inScope(ctx.user, DOCUMENT_SCOPE)}`.execute(ctx.db);
  const [row] = rows;
  if (!row) return null;
  const { isTested, rank, ...answer } = row;
  return { ...answer, ...(isTested && { testRank: rank }) };
}

/** Locks a group; 404 if the user does not see it. */
export async function lockCluster(ctx: Ctx<User>, tx: Tx, id: string): Promise<QuestionClusterDetail> {
  await sql`select id from question_clusters where id = ${id} for update`.execute(tx);
  return getCluster({ ...ctx, db: tx }, id);
}

export async function updateCluster(
  ctx: Ctx<User>,
  id: string,
  { ownerId, status }: BodyOf<typeof questionClusters.update>,
) {
  return inTransaction(ctx.db, async (tx) => {
    const before = await lockCluster(ctx, tx, id);
    if (ownerId) await checkOwner(ctx, tx, ownerId);
    const changes = { ...(ownerId !== undefined && { ownerId }), ...(status && { status }) };
    if (Object.keys(changes).length === 0) return before;
    await tx.updateTable("questionClusters").set(changes).where("id", "=", id).execute();
    if (ownerId && ownerId !== ctx.user.id && ownerId !== before.owner?.id)
      await notify(ctx, tx, {
        to: [ownerId],
        kind: "questionAssigned",
        params: { name: before.chatbot },
        link: `/reports/conversation-analytics?tab=unanswered&question=${id}`,
        key: `questionAssigned ${id} ${Date.now()}`,
      });
    await announceChange(tx, { domain: "questionClusters" });
    const details = { fields: Object.keys(changes), ...(status && { status }) };
    await record(tx, ctx, { action: "questionClusters.update", details });
    return getCluster({ ...ctx, db: tx }, id);
  });
}

/** Throws 404 unless the owner is an active admin in the scope of the user. */
async function checkOwner({ user }: Ctx<User>, tx: Tx, ownerId: string) {
  const owner = await tx
    .selectFrom("users")
    .where("id", "=", ownerId)
    .where("role", "=", "admin")
    .where("status", "=", "active")
    .where(inScope(user, { company: "users.companyId" }))
    .select("id")
    .executeTakeFirst();
  if (!owner) throw new Problem(404, "analysis.noOwner");
}
