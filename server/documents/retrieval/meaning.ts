import { LRUCache } from "lru-cache";
import { embed } from "#server/connectors/embeddings.ts";
import { GatewayError } from "#server/connectors/gatewayCall.ts";
import type { Services } from "#server/core/services.ts";
import { readBackground } from "#server/documents/retrieval/background.ts";
import type { Passage, Search } from "#server/documents/retrieval/byWords.ts";
import { type Embedder, findEmbedder } from "#server/documents/retrieval/embedder.ts";
import { listCompaniesOf, listReadersOf } from "#server/documents/retrieval/maskedCompanies.ts";
import { cosineOf, normalise, type Ranking } from "#server/documents/retrieval/similarity.ts";
import { isCopied, MAX_IN_PROCESS, rankInDatabase } from "#server/documents/retrieval/vectorsInDatabase.ts";
import { loadVectors, rankInProcess } from "#server/documents/retrieval/vectorsInProcess.ts";

/** A question compared with the passages of its scope by an embedding model. */
export type Meaning = Ranking & {
  embedder: Embedder;
  /** The vector of the question, of length 1. */
  question: Float32Array;
  companyId: string | null;
  signal: AbortSignal | undefined;
};

type Call = Pick<Meaning, "embedder" | "companyId" | "signal"> & { maskedCompanyIds: string[]; hidesContacts: boolean };

/** Vectors of length 1 for somebody who waits; null if the provider fails or the search was cancelled. */
async function makeVectors(services: Services, { embedder, ...call }: Call, texts: string[]) {
  const { connectorId, model } = embedder;
  const asks = { ...call, connectorId, model, texts, isWaitedFor: true };
  const made = await embed(services, asks).catch((error: unknown) => {
    if (!(error instanceof GatewayError) && !call.signal?.aborted) throw error;
    return null;
  });
  return made && { size: made.size, vectors: made.vectors.map(normalise) };
}

/**
 * Ranks the passages of a scope by their nearness to a question in meaning; `versions` is the scope of the search. Null
 * without an embedding model, if the provider fails, or while vectors are missing, because ranking only some passages
 * would hide the others.
 */
export async function findByMeaning(
  services: Services,
  { question, limit, signal, ...scope }: Search,
  versions: { id: string; passages: number }[],
): Promise<Meaning | null> {
  const { companyId = null } = scope;
  const embedder = await findEmbedder(services.db);
  if (embedder?.size == null || versions.length === 0) return null;
  const isLarge = versions.reduce((sum, { passages }) => sum + passages, 0) > MAX_IN_PROCESS;
  const parts =
    isLarge && (await isCopied(services.db, embedder, scope))
      ? "copied"
      : await loadVectors(services.db, embedder, versions);
  if (!parts) return null;
  const maskedCompanyIds = companyId ? [companyId] : await listCompaniesOf(services.db, versions);
  const call = { embedder, companyId, signal, maskedCompanyIds, hidesContacts: companyId === null };
  const made = await makeVectors(services, call, [question]);
  const [vector] = made?.vectors ?? [];
  if (!vector || vector.length !== embedder.size) return null;
  const ranking =
    parts === "copied"
      ? await rankInDatabase(services.db, embedder, { ...scope, vector, limit })
      : rankInProcess(parts, vector, limit);
  return { ...ranking, embedder, question: vector, companyId, signal };
}

/** A sentence of a passage, as offsets in its text. */
type Sentence = { passage: Passage; start: number; end: number };
/** Sentences per question: one request. */
const MAX_SENTENCES = 60;
const sentenceVectors = new LRUCache<string, Float32Array>({
  maxSize: 32 * 1024 ** 2,
  sizeCalculation: ({ byteLength }) => byteLength + 1,
});

/**
 * How near each of the first sentences is to the question: by how many standard deviations its cosine is above those
 * that the question has with what does not answer it. Null if the provider fails.
 */
export async function measureNearness(services: Services, meaning: Meaning, sentences: Sentence[]) {
  const { embedder, question } = meaning;
  const compared = sentences.slice(0, MAX_SENTENCES);
  const documentIds = [...new Set(compared.map(({ passage }) => passage.documentId))];
  const maskedCompanyIds = await listReadersOf(services.db, documentIds);
  const call = { ...meaning, maskedCompanyIds, hidesContacts: false };
  const make = async (texts: string[]) => {
    const made = await makeVectors(services, call, texts);
    return made?.size === question.length ? made.vectors : null;
  };
  const keyOf = ({ passage, start, end }: Sentence) =>
    `${embedder.connectorId} ${embedder.model} ${question.length} ${passage.id} ${start} ${end}`;
  const missing = compared.filter((one) => !sentenceVectors.has(keyOf(one)));
  const made =
    missing.length === 0 ? [] : await make(missing.map(({ passage, start, end }) => passage.text.slice(start, end)));
  const background = await readBackground(embedder, meaning, compared[0]?.passage.language ?? "", make);
  if (!made || !background) return null;
  const vectorOf = new Map(missing.map((one, at) => [keyOf(one), made[at]!]));
  return compared.map((sentence) => {
    const key = keyOf(sentence);
    const vector = sentenceVectors.get(key) ?? vectorOf.get(key)!;
    sentenceVectors.set(key, vector);
    return (cosineOf(question, vector) - background.mean) / background.deviation;
  });
}
