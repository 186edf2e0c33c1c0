import { sql } from "kysely";
import type { OpenBot } from "#server/chatbots/botAccess.ts";
import { readBotButtons } from "#server/chatbots/botButtons.ts";
import type { Services } from "#server/core/services.ts";
import { readEventFacts } from "#server/conversations/eventFacts.ts";
import type { OwnedConversation } from "#server/conversations/owners.ts";
import type { Situation } from "#server/conversations/instructions.ts";
import { nameValues } from "#server/conversations/namedValues.ts";
import { TEMPLATE_WORDS } from "#server/variables/templates.ts";
import { readTemplateValues, type TemplateOrigin } from "#server/variables/templateValues.ts";
import type { TurnRow } from "#server/conversations/turnRows.ts";
import { templateText } from "#shared/variables/templates.ts";

type Known = Pick<Situation, "prompt" | "values" | "course">;
/** The live version of a prompt. */
export type PromptVersion = { id: string; name: string; number: number };

/**
 * The person and course whose values a model may read; null for visitors. With `asOf`, values of variables are as of
 * that time.
 */
const originOf = (
  { userId, companyId, courseId, attemptId }: OwnedConversation,
  asOf: string | undefined,
): TemplateOrigin | null =>
  userId && companyId ? { userId, companyId, courseId, attemptId, reader: "model", asOf } : null;

/** What a chatbot knows about the person and the course. Empty for visitors. */
export async function readKnown(
  { db }: Pick<Services, "db">,
  { settings }: OpenBot,
  conversation: OwnedConversation,
  asOf?: string,
): Promise<Known & { promptVersion: PromptVersion | null }> {
  const { userId, courseId, eventId } = conversation;
  const origin = originOf(conversation, asOf);
  const { text, values, version } = await readPrompt(db, settings.promptId, origin);
  return {
    prompt: text,
    promptVersion: version,
    values: [
      ...values,
      ...(eventId ? await readEventFacts(db, eventId) : []),
      ...(origin ? await readValues(db, settings.readVariableIds, origin) : []),
    ],
    course: courseId && userId ? await readCourse(db, courseId, userId) : null,
  };
}

/** The live version of a prompt, with its values as data; `origin` is null for visitors and tests. */
export async function readPrompt(
  db: Services["db"],
  promptId: string | null,
  origin: TemplateOrigin | null,
): Promise<ReturnType<typeof nameValues> & { version: PromptVersion | null }> {
  const none = { text: "", values: [], version: null };
  if (!promptId) return none;
  const version = await db
    .selectFrom("prompts")
    .innerJoin("promptVersions as live", "live.id", "prompts.liveVersionId")
    .where("prompts.id", "=", promptId)
    .where("prompts.status", "=", "active")
    .select(["live.id", "prompts.name", "live.number", "live.body"])
    .executeTakeFirst();
  if (!version) return none;
  const { body, ...named } = version;
  return { ...nameValues(body, await readTemplateValues(db, [body], origin)), version: named };
}

/** The prompt of the button that asked a question, with its values as data; its `input` is the preceding answer. */
export async function readButtonPrompt(
  { db }: Pick<Services, "db">,
  bot: OpenBot,
  conversation: OwnedConversation,
  branch: TurnRow[],
  asOf?: string,
): Promise<ReturnType<typeof nameValues>> {
  const question = branch.at(-1);
  const button = question?.buttonId
    ? (await readBotButtons(db, bot)).find(({ id }) => id === question.buttonId)
    : undefined;
  if (!button) return { text: "", values: [] };
  const values = await readTemplateValues(db, [button.body], originOf(conversation, asOf));
  values.set("input", { value: branch.at(-2)?.text ?? "", type: "text", unit: "" });
  return nameValues(button.body, values);
}

async function readValues(db: Services["db"], ids: string[], origin: TemplateOrigin): Promise<Known["values"]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("variables")
    .where("id", "in", ids)
    .where("status", "=", "active")
    .select(["key", "label"])
    .execute();
  const templateValues = await readTemplateValues(
    db,
    rows.map(({ key }) => `{{${key}}}`),
    origin,
  );
  return rows.flatMap(({ key, label }): Known["values"] => {
    const value = templateValues.get(key);
    return value ? [[label, templateText(value, { booleans: TEMPLATE_WORDS.booleans })]] : [];
  });
}

async function readCourse(db: Services["db"], courseId: string, userId: string): Promise<Known["course"]> {
  const row = await db
    .selectFrom("courses")
    .leftJoin("enrolments", (join) =>
      join.onRef("enrolments.courseId", "=", "courses.id").on("enrolments.userId", "=", userId),
    )
    .where("courses.id", "=", courseId)
    .select(["courses.title", sql<number | null>`enrolments.progress`.as("progress")])
    .executeTakeFirst();
  return row ? { title: row.title, progress: row.progress, part: null } : null;
}
