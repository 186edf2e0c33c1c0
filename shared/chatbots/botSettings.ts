import { z } from "zod";
import { variableValue } from "#shared/variables/variableFigures.ts";

// Settings of a chatbot

/**
 * `public`: everybody with the link; `signedIn`: people with an account; `course`: learners of its courses, within the
 * course.
 */
export const botAccess = z.enum(["public", "signedIn", "course"]);
/** Whether an answer may use knowledge besides the documents. */
export const answerPolicy = z.enum(["documentsOnly", "documentsFirst", "free"]);
/** `scene`: a script of steps and choices, which needs no language model. */
export const pedagogy = z.enum(["answer", "hints", "socratic", "rolePlay", "quiz", "scene"]);

export const shortText = (max: number) => z.string().trim().max(max).default("");

/** A step of a scene: what the bot says, and what the person may answer. A step without choices ends the scene. */
export const sceneStep = z.object({
  id: z
    .string()
    .trim()
    .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, { error: "chatbots.badStep" }),
  says: z.string().trim().min(1).max(2000),
  choices: z
    .array(
      z.object({
        label: z.string().trim().min(1).max(300),
        to: z.string().trim().min(1).max(40),
        /** Words of a free answer that also lead here. */
        words: z.array(z.string().trim().min(1).max(60)).max(20).default([]),
        /** A value that the choice sets. */
        sets: z.object({ variableId: z.uuid(), value: variableValue }).nullable().default(null),
      }),
    )
    .max(8)
    .default([]),
  /** Only for a step without choices: whether the goal is reached. */
  reachesGoal: z.boolean().default(false),
});
export type SceneStep = z.infer<typeof sceneStep>;

const criterion = z.object({
  id: z
    .string()
    .trim()
    .regex(/^[a-z][a-z0-9-]{0,39}$/, { error: "chatbots.badStep" }),
  name: z.string().trim().min(1).max(80),
  /** Meaning of the values 1 to 5. */
  description: shortText(600),
});

export const botLimits = z.object({
  /**
   * Maximum number of messages: per address in ten minutes, per visitor or learner and for the whole bot per day, and
   * per conversation.
   */
  perAddress: z.int().min(1).max(1000).default(60),
  perPerson: z.int().min(1).max(10_000).default(100),
  perDay: z.int().min(1).max(1_000_000).default(2000),
  perConversation: z.int().min(1).max(1000).default(60),
  inputChars: z.int().min(50).max(16_000).default(4000),
  outputTokens: z.int().min(50).max(8000).default(800),
  /** Text shown at a limit. */
  text: shortText(600),
});

/** Voice conversations. Models belong to the connector of the chatbot; null: its first one for that use. */
export const botVoice = z.object({
  isOn: z.boolean().default(false),
  transcriptionModel: z.string().trim().max(200).nullable().default(null),
  speechModel: z.string().trim().max(200).nullable().default(null),
  /** The provider's name of the voice; empty: the first voice of the model. */
  name: shortText(100),
  speed: z.number().min(0.5).max(2).default(1),
  /** Everybody checks the transcript before it is sent; otherwise people choose whether they do. */
  checks: z.boolean().default(false),
  /** In public chatbots, people without an account may speak, too. */
  forVisitors: z.boolean().default(false),
});

export const botSettings = z.object({
  description: shortText(500),
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, { error: "companies.badColor" })
    .nullable()
    .default(null),
  /** First message of the chatbot. */
  greeting: shortText(1000),
  /** By language (ISO 639-1), where it differs. */
  greetings: z
    .record(z.string().regex(/^[a-z]{2}$/, { error: "core.badLanguage" }), z.string().trim().max(1000))
    .default({}),
  persona: shortText(4000),
  goal: shortText(1000),
  /** A prompt whose live version is added to the instructions. */
  promptId: z.uuid().nullable().default(null),
  /** Null: the default connector, or the built-in one. */
  connectorId: z.uuid().nullable().default(null),
  model: z.string().trim().max(200).nullable().default(null),
  temperature: z.number().min(0).max(2).nullable().default(null),
  documentIds: z.array(z.uuid()).max(200).default([]),
  buttonIds: z.array(z.uuid()).max(20).default([]),
  /** Variables that it may read, and those that it writes. */
  readVariableIds: z.array(z.uuid()).max(50).default([]),
  writeVariableIds: z.array(z.uuid()).max(20).default([]),
  courseIds: z.array(z.uuid()).max(200).default([]),
  companyIds: z.array(z.uuid()).max(500).default([]),
  /** Without `companyIds`: open to all companies, or to none. */
  allCompanies: z.boolean().default(true),
  access: botAccess.default("signedIn"),
  /** Origins of pages that may embed it, such as https://intranet.example. */
  allowedOrigins: z
    .array(
      z
        .url({ protocol: /^https?$/ })
        .max(200)
        .transform((url) => new URL(url).origin),
    )
    .max(20)
    .default([]),
  answerPolicy: answerPolicy.default("documentsFirst"),
  /** Answer when it has none. */
  refusalText: shortText(600),
  pedagogy: pedagogy.default("answer"),
  /** Hints before an answer. */
  hints: z.int().min(1).max(5).default(3),
  scene: z.array(sceneStep).max(100).default([]),
  rubric: z.array(criterion).max(10).default([]),
  quickReplies: z.array(z.string().trim().min(1).max(120)).max(6).default([]),
  limits: botLimits.default(botLimits.parse({})),
  /** Days after the last message until a conversation is deleted. */
  retentionDays: z.int().min(1).max(3650).default(365),
  /**
   * Whether people may dictate messages. Speech recognition of browsers sends the audio to the vendor of the browser.
   */
  dictation: z.boolean().default(false),
  voice: botVoice.default(botVoice.parse({})),
  /**
   * A message with one of these phrases is refused before a model reads it. Compared as whole words, ignoring case; `*`
   * stands for any ending.
   */
  blockedPhrases: z
    .array(
      z
        .string()
        .trim()
        .max(120)
        .regex(/[\p{L}\p{N}]/u, { error: "chatbots.badPhrase" }),
    )
    .max(200)
    .default([]),
  /** Text shown in that case. */
  blockedText: shortText(600),
  /** Text shown when a message is about self-harm, violence or harassment, and who is notified; null: all admins. */
  careText: shortText(1000),
  carePersonId: z.uuid().nullable().default(null),
});

/** Scripts in which one character is a word. In others, a single character occurs in almost every message. */
const WORD_CHARACTER = /\p{Script=Han}/u;
function isShortPhrase(phrase: string) {
  const characters = [...phrase.normalize("NFKC").replace(/[^\p{L}\p{N}]+/gu, "")];
  return characters.length === 1 && !WORD_CHARACTER.test(characters[0] as string);
}
/**
 * Whether an origin names one host: no wildcard, and no character that would start another directive of a
 * Content-Security-Policy.
 */
export const isHostOrigin = (origin: string) =>
  /^https?:\/\/(\[[\da-f:.]+\]|[\w-]+(\.[\w-]+)*\.?)(:\d+)?$/i.test(origin);
/** Additional checks when admins save. Stored settings are parsed without them, so that older ones remain readable. */
export const savedBotSettings = botSettings.superRefine(({ allowedOrigins, blockedPhrases }, { addIssue }) => {
  for (const [at, origin] of allowedOrigins.entries())
    if (!isHostOrigin(origin))
      addIssue({ code: "custom", message: "chatbots.badOrigin", path: ["allowedOrigins", at] });
  for (const [at, phrase] of blockedPhrases.entries())
    if (isShortPhrase(phrase))
      addIssue({ code: "custom", message: "chatbots.shortPhrase", path: ["blockedPhrases", at] });
});
export type BotSettings = z.infer<typeof botSettings>;
export type BotSettingsInput = z.input<typeof botSettings>;

/** Faults of a scene, as ids of steps. */
export type SceneFaults = {
  /** Ids that several steps have. */
  repeated: string[];
  /** Steps with a choice that leads nowhere. */
  broken: string[];
  /** Steps to which no choice leads from the first one. */
  unreachable: string[];
  /** Steps from which no end can be reached. */
  endless: string[];
};

/** Checks that every choice leads to a step, that every step is reached, and that each of them can reach an end. */
export function checkScene(scene: Pick<SceneStep, "id" | "choices">[]): SceneFaults {
  const ids = scene.map(({ id }) => id);
  const knownIds = new Set(ids);
  const reached = new Set(ids.slice(0, 1));
  const ending = new Set(scene.filter(({ choices }) => choices.length === 0).map(({ id }) => id));
  // Each round extends the paths by one step, and a path visits a step at most once.
  for (let round = 0; round < scene.length; round++)
    for (const { id, choices } of scene) {
      if (reached.has(id)) for (const { to } of choices) if (knownIds.has(to)) reached.add(to);
      if (choices.some(({ to }) => ending.has(to))) ending.add(id);
    }
  return {
    repeated: [...new Set(ids.filter((id, at) => ids.indexOf(id) !== at))],
    broken: scene.filter(({ choices }) => choices.some(({ to }) => !knownIds.has(to))).map(({ id }) => id),
    unreachable: ids.filter((id) => !reached.has(id)),
    endless: ids.filter((id) => !ending.has(id)),
  };
}
