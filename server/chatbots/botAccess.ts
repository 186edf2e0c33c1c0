import { sql } from "kysely";
import { readBotButtons } from "#server/chatbots/botButtons.ts";
import { readCareNotice } from "#server/care/service.ts";
import { readBot } from "#server/chatbots/botRows.ts";
import { priceOf } from "#server/connectors/budgets.ts";
import { readVoiceModels } from "#server/connectors/voice/audioCalls.ts";
import type { Db } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import type { Services } from "#server/core/services.ts";
import { forbidden, notFound } from "#server/core/http/problem.ts";
import { readSettings } from "#server/settings/service.ts";
import { type BotSettings, isHostOrigin } from "#shared/chatbots/botSettings.ts";
import type { Chatbot, PublicBot } from "#shared/chatbots/chatbots.ts";
import chatTexts from "#shared/locales/en/chat.json" with { type: "json" };
import { isAdmin, scopeOf, type User } from "#shared/core/users.ts";

/** A version of a chatbot that the caller may use. `versionId` is null for the draft, which is only for admins. */
export type OpenBot = { id: string; name: string; versionId: string | null; settings: BotSettings };
export type Caller = { user: User | null; courseId: string | null };

const selectLive = (db: Db) =>
  db
    .selectFrom("chatbots")
    .innerJoin("chatbotVersions as live", "live.id", "chatbots.liveVersionId")
    .where("chatbots.status", "=", "published")
    .select(["chatbots.id", "live.name", "live.id as versionId", "live.settings"]);

/**
 * Whether a person may use the bot here. In a course: enrolled learners, with the bots of that course. Without a
 * course: everybody with public bots, people with an account with bots for signed-in people. A bot for some companies
 * answers only their people.
 */
async function isOpenTo(db: Db, { id, settings }: OpenBot, { user, courseId }: Caller) {
  const scope = user ? scopeOf(user) : null;
  const isForCompany =
    (settings.companyIds.length === 0 && settings.allCompanies) ||
    scope?.kind === "academy" ||
    (user !== null && user.companyId !== null && settings.companyIds.includes(user.companyId));
  if (courseId === null) {
    if (settings.access === "public") return settings.companyIds.length === 0 || (user !== null && isForCompany);
    return settings.access === "signedIn" && user !== null && isForCompany;
  }
  if (!user || !isForCompany || !settings.courseIds.includes(courseId)) return false;
  if (user.role === "admin") return true;
  const enrolled = await db
    .selectFrom("enrolments")
    .innerJoin("chatbotCourses", "chatbotCourses.courseId", "enrolments.courseId")
    .where("chatbotCourses.chatbotId", "=", id)
    .where("enrolments.courseId", "=", courseId)
    .where("enrolments.userId", "=", user.id)
    .where("enrolments.status", "!=", "withdrawn")
    .select("enrolments.id")
    .executeTakeFirst();
  return enrolled !== undefined;
}

/**
 * The live version of a chatbot that is open to the caller; 404 otherwise, so that the existence of others is not
 * revealed.
 */
export async function readOpenBot(db: Db, id: string, caller: Caller): Promise<OpenBot> {
  const bot = await selectLive(db).where("chatbots.id", "=", id).executeTakeFirstOrThrow(notFound);
  if (!(await isOpenTo(db, bot, caller))) throw notFound();
  return bot;
}

/** Origins of pages that may frame a public chatbot; none if it is not public, or not published. */
export async function readFrameOrigins({ db }: Pick<Services, "db">, id: string): Promise<string[]> {
  const bot = await readOpenBot(db, id, { user: null, courseId: null }).catch(() => null);
  return (bot?.settings.allowedOrigins ?? []).filter(isHostOrigin);
}

export const draftOf = ({ id, name, settings }: Chatbot): OpenBot => ({ id, name, versionId: null, settings });

/** The draft, for admins only. */
export async function readDraft({ db, user }: Pick<Ctx, "db" | "user">, id: string): Promise<OpenBot> {
  if (!isAdmin(user)) throw forbidden();
  return draftOf(await readBot(db, id, user));
}

/** A chatbot as people see it before the first message. */
export async function describeBot(
  services: Pick<Services, "db">,
  { id, name, settings }: OpenBot,
  user: User | null,
  language?: string,
): Promise<PublicBot> {
  const { academyName } = await readSettings(services.db);
  return {
    id,
    name,
    description: settings.description,
    color: settings.color,
    greeting: (language && settings.greetings[language]) || settings.greeting,
    quickReplies: firstReplies(settings),
    buttons: (await readBotButtons(services.db, { settings })).map(({ id: buttonId, label }) => ({
      id: buttonId,
      label,
    })),
    pedagogy: settings.pedagogy,
    access: settings.access,
    usesModel: settings.pedagogy !== "scene" && (await hasModel(services.db, settings.connectorId)),
    inputChars: settings.limits.inputChars,
    dictation: settings.dictation,
    voice: await describeVoice(services, settings, user),
    hasRubric: settings.rubric.length > 0,
    care: await readCareNotice(services.db, user?.companyId ?? null),
    help: settings.careText || chatTexts.care,
    academy: academyName,
  };
}

/**
 * The available voice mode. The browser transcribes only if the admin allows it; its voices are the fallback if the
 * provider has none.
 */
async function describeVoice(
  services: Pick<Services, "db">,
  { voice, dictation, connectorId }: BotSettings,
  user: User | null,
): Promise<PublicBot["voice"]> {
  if (!voice.isOn || (!user && !voice.forVisitors)) return null;
  const models = await readVoiceModels(services, {
    connectorId,
    companyId: user?.companyId ?? null,
    transcription: voice.transcriptionModel,
    speech: voice.speechModel,
  });
  const isPriced = (model: typeof models.speech) => model !== null && (user !== null || priceOf(model) !== null);
  const speaks = isPriced(models.speech) ? ("provider" as const) : ("browser" as const);
  if (isPriced(models.transcription)) return { hears: "provider", speaks, checks: voice.checks };
  return dictation ? { hears: "browser", speaks, checks: voice.checks } : null;
}

const firstReplies = ({ pedagogy, scene, quickReplies }: BotSettings) =>
  pedagogy === "scene" ? (scene[0]?.choices ?? []).map(({ label }) => label) : quickReplies;

/** Whether a language model answers: the selected or default connector is not the built-in one. */
async function hasModel(db: Db, connectorId: string | null) {
  const { rows } = await sql<{ hasModel: boolean }>`
    select exists (
      select from connectors
      where status = 'active'
        and kind not in ('builtin', 'local')
        and ${connectorId ? sql`id = ${connectorId}` : sql`is_default`}
    ) as has_model`.execute(db);
  return rows[0]?.hasModel ?? false;
}

/** The chatbots that are open to a learner: those of a course, or those without one. */
export async function listOpenBots(services: Pick<Services, "db">, caller: Caller) {
  const { courseId } = caller;
  const bots = await selectLive(services.db)
    .$if(courseId !== null, (all) =>
      all.where((e) =>
        e(
          "chatbots.id",
          "in",
          e
            .selectFrom("chatbotCourses")
            .where("courseId", "=", courseId as string)
            .select("chatbotId"),
        ),
      ),
    )
    .orderBy(sql`lower(live.name)`)
    .limit(200)
    .execute();
  const open = [];
  for (const bot of bots) if (await isOpenTo(services.db, bot, caller)) open.push(bot);
  return {
    items: open.map(({ id, name, settings: { description, color } }) => ({ id, name, description, color })),
  };
}
