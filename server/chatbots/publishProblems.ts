import { sql } from "kysely";
import { isOneOf } from "#server/core/database/listing.ts";
import { priceOf } from "#server/connectors/budgets.ts";
import { readVoiceModels } from "#server/connectors/voice/audioCalls.ts";
import type { Db } from "#server/core/database/db.ts";
import type { BotSettings } from "#shared/chatbots/botSettings.ts";
import type { PublishProblem, PublishWarning } from "#shared/chatbots/chatbots.ts";
import { checkScene } from "#shared/chatbots/botSettings.ts";

/** Why these settings cannot be published, in the order of the form. */
export async function findProblems(db: Db, settings: BotSettings): Promise<PublishProblem[]> {
  const problems = [
    await courseProblem(db, settings),
    settings.access !== "public" && !settings.allCompanies && settings.companyIds.length === 0 && "noCompany",
    settings.pedagogy === "scene" && sceneProblem(settings),
    settings.answerPolicy === "documentsOnly" &&
      settings.pedagogy !== "scene" &&
      settings.documentIds.length === 0 &&
      "noDocuments",
    await documentProblem(db, settings),
    await connectorProblem(db, settings),
    await promptProblem(db, settings),
    await voiceProblem(db, settings),
  ] as const;
  return problems.filter((problem) => problem !== false && problem !== null);
}

/** Courses may have been deleted since they were selected. */
async function courseProblem(db: Db, { access, courseIds }: BotSettings): Promise<PublishProblem | null> {
  if (access !== "course") return null;
  const found = await db.selectFrom("courses").where(isOneOf("courses.id", courseIds)).select("id").limit(1).execute();
  return found.length === 0 ? "noCourse" : null;
}

function sceneProblem({ scene }: BotSettings): PublishProblem | null {
  if (scene.length === 0) return "sceneEmpty";
  const { repeated, broken, endless } = checkScene(scene);
  if (repeated.length > 0 || broken.length > 0) return "sceneBroken";
  return endless.length > 0 ? "sceneEndless" : null;
}

async function documentProblem(db: Db, { documentIds, access }: BotSettings): Promise<PublishProblem | null> {
  if (documentIds.length === 0) return null;
  const ready = await db
    .selectFrom("documents")
    .where("id", "in", documentIds)
    .where("status", "=", "active")
    .where("liveVersionId", "is not", null)
    .select("allCompanies")
    .execute();
  if (ready.length < new Set(documentIds).size) return "documentNotReady";
  // Visitors belong to no company, so they would get no answers from these documents.
  return access === "public" && ready.some(({ allCompanies }) => !allCompanies) ? "documentNotPublic" : null;
}

/**
 * The connector that would answer (`readCandidates`): the selected one, or the default one if it has passed its test.
 * Without either, the built-in one quotes.
 */
const readConnector = (db: Db, { connectorId }: BotSettings) =>
  db
    .selectFrom("connectors")
    .where((e) =>
      connectorId ? e("id", "=", connectorId) : e.and([e("isDefault", "=", true), e("status", "<>", "draft")]),
    )
    .select(["status", "models", "kind"])
    .executeTakeFirst();

async function connectorProblem(db: Db, settings: BotSettings): Promise<PublishProblem | null> {
  const { connectorId, model, access, pedagogy } = settings;
  if (pedagogy === "scene") return null;
  const connector = await readConnector(db, settings);
  if (!connector) return connectorId ? "connectorOff" : null;
  if (connector.status !== "active") return "connectorOff";
  if (connector.kind === "builtin") return null;
  const wanted = connectorId ? model : null;
  const chosen = connector.models.find(({ id, use }) => (wanted ? id === wanted : use === "chat"));
  if (!chosen) return "noModel";
  // Visitors could spend an unknown amount.
  return access === "public" && !priceOf(chosen) ? "unpricedPublic" : null;
}

/**
 * Voice requires a transcription model, or permission for the browser to listen; a selected model or voice must exist.
 */
async function voiceProblem(
  db: Db,
  { voice, dictation, connectorId, access }: BotSettings,
): Promise<PublishProblem | null> {
  if (!voice.isOn) return null;
  const models = await readVoiceModels(
    { db },
    { connectorId, companyId: null, transcription: voice.transcriptionModel, speech: voice.speechModel },
  );
  const { transcription, speech } = models;
  if ((voice.transcriptionModel && !transcription) || (voice.speechModel && !speech)) return "voiceNoModel";
  if (!transcription && !dictation) return "voiceNothing";
  const names = speech?.voices ?? [];
  if (voice.name && names.length > 0 && !names.includes(voice.name)) return "voiceNoName";
  const isUnpriced = [transcription, speech].some((model) => model && !priceOf(model));
  return access === "public" && voice.forVisitors && isUnpriced ? "voiceUnpriced" : null;
}

async function promptProblem(db: Db, { promptId }: BotSettings): Promise<PublishProblem | null> {
  if (!promptId) return null;
  const { rows } = await sql<{ ok: boolean }>`
    select live_version_id is not null and status = 'active' as ok
    from prompts
    where id = ${promptId}`.execute(db);
  return rows[0]?.ok ? null : "promptNotLive";
}

/** Tasks that quoting documents cannot do. */
const NEED_MODEL: BotSettings["pedagogy"][] = ["rolePlay", "quiz"];

/** What a published chatbot could not do as things are: without a language model, it only quotes its documents. */
export async function findWarnings(db: Db, settings: BotSettings): Promise<PublishWarning[]> {
  const { pedagogy, documentIds } = settings;
  if (pedagogy === "scene") return [];
  const connector = await readConnector(db, settings);
  if (connector && connector.kind !== "builtin") return [];
  if (NEED_MODEL.includes(pedagogy)) return ["needsModel"];
  return documentIds.length === 0 ? ["nothingToQuote"] : [];
}
