import { sql } from "kysely";
import type { Db } from "#server/core/db.ts";
import type { BotSettings } from "#shared/botSettings.ts";
import type { PublishProblem } from "#shared/chatbots.ts";
import { checkScene } from "#shared/sceneCheck.ts";

/** What keeps these settings from being published, in the order of the form. */
export async function findProblems(db: Db, settings: BotSettings): Promise<PublishProblem[]> {
  const found = [
    settings.access === "course" && settings.courseIds.length === 0 && "noCourse",
    settings.pedagogy === "scene" && sceneProblem(settings),
    settings.answerPolicy === "documentsOnly" &&
      settings.pedagogy !== "scene" &&
      settings.documentIds.length === 0 &&
      "noDocuments",
    await documentProblem(db, settings),
    await connectorProblem(db, settings),
    await promptProblem(db, settings),
  ] as const;
  return found.filter((problem) => problem !== false && problem !== null);
}

function sceneProblem({ scene }: BotSettings): PublishProblem | null {
  if (scene.length === 0) return "sceneEmpty";
  const { repeated, broken, endless } = checkScene(scene);
  if (repeated.length > 0 || broken.length > 0) return "sceneBroken";
  return endless.length > 0 ? "sceneEndless" : null;
}

async function documentProblem(db: Db, { documentIds }: BotSettings): Promise<PublishProblem | null> {
  if (documentIds.length === 0) return null;
  const { ready } = await db
    .selectFrom("documents")
    .where("id", "in", documentIds)
    .where("status", "=", "active")
    .where("liveVersionId", "is not", null)
    .select((e) => e.fn.countAll<number>().as("ready"))
    .executeTakeFirstOrThrow();
  return ready < new Set(documentIds).size ? "documentNotReady" : null;
}

async function connectorProblem(db: Db, { connectorId, model, access }: BotSettings): Promise<PublishProblem | null> {
  if (!connectorId) return null;
  const connector = await db
    .selectFrom("connectors")
    .where("id", "=", connectorId)
    .select(["status", "models", "kind"])
    .executeTakeFirst();
  if (!connector || connector.status === "disabled") return "connectorOff";
  // Whoever may use it without an account could spend without anybody knowing how much.
  const chosen = connector.models.find(({ id }) => id === model) ?? connector.models[0];
  const isPriced = connector.kind === "builtin" || (chosen && JSON.stringify(chosen).includes('"prices":[{'));
  return access === "public" && !isPriced ? "unpricedPublic" : null;
}

async function promptProblem(db: Db, { promptId }: BotSettings): Promise<PublishProblem | null> {
  if (!promptId) return null;
  const { rows } = await sql<{ ok: boolean }>`
    select live_version_id is not null and status = 'active' as ok from prompts where id = ${promptId}`.execute(db);
  return rows[0]?.ok ? null : "promptNotLive";
}
