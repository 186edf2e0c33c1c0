import { sql } from "kysely";
import { embed } from "#server/connectors/embeddings.ts";
import { GatewayError } from "#server/connectors/gatewayCall.ts";
import type { Tx } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";
import { readSpreads } from "#server/documents/retrieval/background.ts";
import { type Embedder, findEmbedder } from "#server/documents/retrieval/embedder.ts";
import { cosineOf, normalise, type Spread, spreadOf } from "#server/documents/retrieval/similarity.ts";

// Unanswered questions compared by an embedding model, if one is connected

/** The most questions that get a vector in one run of the job, the newest first. */
const AT_ONCE = 256;
const READ_CHARS = 2000;
/** Pairs of questions whose cosines are looked at, and the weight of unrelated texts beside them, in pairs. */
const PAIRS = 2000;
const PRIOR = 100;

/** The model whose vectors are compared, and the cosines of texts that have nothing to do with each other. */
export type QuestionModel = { embedder: Embedder; unrelated: Spread };

/**
 * Makes missing vectors of unanswered questions. Null without an embedding model, or if it does not answer: questions
 * are then compared by words alone.
 */
export async function embedQuestions(services: Services): Promise<QuestionModel | null> {
  const embedder = await findEmbedder(services.db);
  if (!embedder) return null;
  try {
    const missing = await readMissing(services, embedder);
    for (const [companyId, questions] of Map.groupBy(missing, (one) => one.companyId)) {
      const texts = questions.map(({ text }) => text);
      const made = await embedFor(services, embedder, companyId, texts).catch((error: unknown) => {
        if (error instanceof GatewayError && error.code === "not_allowed") return null;
        throw error;
      });
      if (made) await store(services, embedder, questions, made);
    }
    const current = await findEmbedder(services.db);
    if (current?.size == null) return null;
    const spreads = await readSpreads(
      current,
      async (texts) => (await embedFor(services, current, null, texts))?.vectors ?? null,
    );
    return spreads && { embedder: current, unrelated: spreads.all };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    services.log.warn({ code: error.code }, "questions were not embedded");
    return null;
  }
}

type Missing = { id: string; text: string; companyId: string | null };
async function readMissing({ db }: Services, { connectorId, model, size }: Embedder): Promise<Missing[]> {
  const { rows } = await sql<Missing>`
    select question.id, left(question.text, ${READ_CHARS}) as text, conversations.company_id
    from turns refusal
    join turns question on question.id = refusal.parent_id
    join conversations on conversations.id = refusal.conversation_id and not conversations.is_preview
    where refusal.state = 'refused'
      and question.state <> 'blocked'
      and question.text <> ''
      and exists (
        select
        from connectors
        where connectors.id::text = ${connectorId}
          and (
            connectors.company_ids = '{}'
            or conversations.company_id is null
            or conversations.company_id = any(connectors.company_ids)
          )
      )
      and not exists (
        select
        from question_vectors vectors
        where vectors.question_id = question.id
          and vectors.connector_id = ${connectorId}
          and vectors.model = ${model}
          and (${size}::int is null or vectors.size = ${size})
      )
    order by refusal.created_at desc, refusal.id
    limit ${AT_ONCE}`.execute(db);
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

const embedFor = (services: Services, { connectorId, model }: Embedder, companyId: string | null, texts: string[]) =>
  embed(services, { connectorId, model, texts, companyId, hidesContacts: companyId === null });

async function store(
  { db }: Services,
  { connectorId, model }: Embedder,
  questions: Missing[],
  { size, vectors }: { size: number; vectors: Float32Array[] },
) {
  await sql`
    insert into question_vectors (question_id, connector_id, model, size, vector)
    select id, ${connectorId}, ${model}, ${size}, decode(vector, 'base64')
    from unnest(
      ${questions.map(({ id }) => id)}::uuid[],
      ${vectors.map((vector) => Buffer.from(normalise(vector).buffer).toString("base64"))}::text[]
    ) made (id, vector)
    where exists (select from turns where turns.id = made.id)
    on conflict do nothing`.execute(db);
}

/** The stored vectors of questions. */
export async function readVectors(tx: Tx, { embedder }: QuestionModel, ids: string[]) {
  const { rows } = await sql<{ id: string; vector: Buffer }>`
    select question_id as id, vector
    from question_vectors
    where question_id = any(${ids}::uuid[])
      and connector_id = ${embedder.connectorId}
      and model = ${embedder.model}
      and size = ${embedder.size}`.execute(tx);
  return new Map(
    rows.map(({ id, vector }) => [
      id,
      // A copy, because the bytes of a row need not begin at a multiple of four.
      new Float32Array(Uint8Array.from(vector).buffer),
    ]),
  );
}

/** Which cosines of these questions mean nothing: those of unrelated texts, and those of most pairs of questions. */
export function spreadIn(vectors: Float32Array[], { mean, deviation }: Spread): Spread {
  const sums = { count: PRIOR, sum: PRIOR * mean, squares: PRIOR * (deviation ** 2 + mean ** 2) };
  for (let pair = 0; pair < Math.min(PAIRS, vectors.length ** 2); pair++) {
    // Steps through the questions, so that the pairs are different ones.
    const [one, other] = [pair % vectors.length, (pair * 7 + Math.floor(pair / vectors.length)) % vectors.length];
    if (one === other) continue;
    const cosine = cosineOf(vectors[one]!, vectors[other]!);
    sums.count++;
    sums.sum += cosine;
    sums.squares += cosine ** 2;
  }
  return spreadOf(sums);
}
