import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { readCounted, searchFor } from "#server/core/database/listing.ts";
import { announceChange } from "#server/core/live/announce.ts";
import { notFound, Problem } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
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

const scopeOfAsked = (user: User) => inScope(user, { company: "c.companyId", person: "c.userId" });
/**
 * Groups as the user sees them: with the questions of the companies in their scope, and none that has no such question.
 * Who asked and in which words is read for the groups that are shown (`detailsOf`).
 */
export function clustersOf({ user }: Pick<Ctx<User>, "user">) {
  const isAcademy = scopeOf(user).kind === "academy";
  const inCompany = sql`join conversations c on c.id = g.conversation_id where ${scopeOfAsked(user)}`;
  // A group whose questions were all deleted, but not its answer, belongs to the academy.
  return sql`select k.id, k.created_at, k.chatbot_id, b.name as chatbot, coalesce(q.times, 0)::int as times,
      q.last_asked_at, k.reopened_at, k.owner_id, k.test_question_id,
      case when k.status = 'open' and k.owner_id is not null then 'assigned' else k.status end as status,
      case when o.id is not null then jsonb_build_object('id', o.id, 'name', coalesce(nullif(o.name, ''), o.email)) end as owner
    from question_clusters k join chatbots b on b.id = k.chatbot_id left join users o on o.id = k.owner_id
    left join (select g.cluster_id, count(distinct g.question_id) as times, max(g.asked_at) as last_asked_at
      from clustered_questions g ${isAcademy ? sql`` : inCompany} group by 1) q on q.cluster_id = k.id
    where q.times > 0 or (${sql.lit(isAcademy)} and k.status = 'answered')`;
}
/** The people of a group `k`, and its question: the first one that the user may read, or else its test question. */
export function detailsOf({ user }: Pick<Ctx<User>, "user">) {
  const asked = sql`clustered_questions g join conversations c on c.id = g.conversation_id`;
  const isOwn = sql`g.cluster_id = k.id and ${scopeOfAsked(user)}`;
  return {
    people: sql`(select count(distinct coalesce(c.user_id::text, c.visitor)) from ${asked} where ${isOwn})::int`,
    question: sql`coalesce((select left(said.text, ${SHOWN_CHARS}) from ${asked} join turns said on said.id = g.question_id
      where ${isOwn} order by g.asked_at, g.turn_id limit 1), (select question from test_questions where id = k.test_question_id), '')`,
  };
}
/** All groups with their questions, for a search: their first questions are found in one pass. */
const withQuestions = ({
  user,
}: Pick<Ctx<User>, "user">) => sql`select k.*, coalesce(left(said.text, ${SHOWN_CHARS}), test.question, '') as question
  from (${clustersOf({ user })}) k left join (select distinct on (g.cluster_id) g.cluster_id, g.question_id from clustered_questions g
    join conversations c on c.id = g.conversation_id where ${scopeOfAsked(user)} order by g.cluster_id, g.asked_at, g.turn_id) first on first.cluster_id = k.id
  left join turns said on said.id = first.question_id left join test_questions test on test.id = k.test_question_id`;
const columns = ({ people, question }: ReturnType<typeof detailsOf>) =>
  sql`id, ${question} as question, times, ${people} as people, last_asked_at, chatbot_id, chatbot, status, owner, reopened_at`;

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
    select ${columns(details)}, total from (select *, count(*) over ()::int as total from (${all}) k
      where ${sql.join([sql`true`, ...conditions], sql` and `)}
      order by ${orders[sort]}, id limit ${limit} offset ${offset}) k
    order by ${orders[sort]}, id`.execute(ctx.db),
  );
}

/** A group that the user sees; 404 for others. */
export async function getCluster(ctx: Ctx<User>, id: string): Promise<QuestionClusterDetail> {
  const { rows } = await sql<QuestionCluster>`
    select ${columns(detailsOf(ctx))} from (${clustersOf(ctx)}) k where id = ${id}`.execute(ctx.db);
  const [cluster] = rows;
  if (!cluster) throw notFound();
  const asked = await sql<QuestionClusterDetail["asked"][number]>`
    select g.turn_id, c.id as conversation_id, left(said.text, ${SHOWN_CHARS}) as text, g.asked_at as at
    from clustered_questions g join turns said on said.id = g.question_id join conversations c on c.id = g.conversation_id
    where g.cluster_id = ${id} and ${scopeOfAsked(ctx.user)}
    order by g.asked_at desc, g.turn_id limit ${LISTED_QUESTIONS}`.execute(ctx.db);
  const documents = await sql<QuestionClusterDetail["documents"][number]>`
    select documents.id, documents.title, documents.source = 'text' as is_text
    from question_clusters k join chatbots b on b.id = k.chatbot_id left join chatbot_versions v on v.id = b.live_version_id
    join documents on coalesce(v.settings, b.settings)->'documentIds' ? documents.id::text
    where k.id = ${id} and documents.status = 'active' and ${inScope(ctx.user, DOCUMENT_SCOPE)} order by lower(documents.title)`.execute(
    ctx.db,
  );
  return { ...cluster, asked: asked.rows, documents: documents.rows, answer: await readAnswer(ctx, id) };
}

type AnswerRow = Omit<NonNullable<QuestionClusterDetail["answer"]>, "testRank"> & {
  isTested: boolean;
  rank: number | null;
};
async function readAnswer(ctx: Ctx<User>, id: string): Promise<QuestionClusterDetail["answer"]> {
  const { rows } = await sql<AnswerRow>`
    select documents.id as document_id, documents.title, v.number as version, v.state, k.answered_at as at, coalesce(nullif(u.name, ''), u.email) as by,
      coalesce(bv.settings, b.settings)->'documentIds' ? documents.id::text as is_used, t.question_id is not null as is_tested, t.rank
    from question_clusters k join chatbots b on b.id = k.chatbot_id left join chatbot_versions bv on bv.id = b.live_version_id
    join documents on documents.id = k.document_id left join document_versions v on v.id = k.answer_version_id
    left join users u on u.id = k.answered_by
    left join lateral (select r.question_id, r.rank from test_results r join document_versions tv on tv.id = r.version_id
      where r.question_id = k.test_question_id order by tv.number desc limit 1) t on true
    where k.id = ${id} and k.answered_at is not null and ${inScope(ctx.user, DOCUMENT_SCOPE)}`.execute(ctx.db);
  const [row] = rows;
  if (!row) return null;
  const { isTested, rank, ...answer } = row;
  return { ...answer, ...(isTested && { testRank: rank }) };
}

/** Locks a group that the user may change. */
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

/** An owner is an active admin of the user's scope. */
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
