import type { BotValues } from "#web/chatbots/editor/useBotForm.ts";

export const botSections = [
  "identity",
  "behaviour",
  "knowledge",
  "model",
  "values",
  "access",
  "voice",
  "limits",
] as const;
export type BotSection = (typeof botSections)[number];

const fieldsOf: Record<BotSection, (keyof BotValues)[]> = {
  identity: ["name", "description", "color", "greeting", "greetings", "quickReplies", "buttonIds"],
  behaviour: ["pedagogy", "persona", "goal", "promptId", "hints", "scene", "rubric"],
  knowledge: ["documentIds", "answerPolicy", "refusalText"],
  model: ["modelChoice", "temperature"],
  values: ["readVariableIds", "writeVariableIds"],
  access: ["access", "courseIds", "companyIds", "allCompanies", "allowedOrigins", "dictation"],
  voice: ["voice"],
  limits: ["limits", "retentionDays", "blockedPhrases", "blockedText", "careText", "carePersonId"],
};

/** The section of a field by its path, such as `scene.0.says`. */
export function sectionOf(path: string): BotSection {
  const [field = ""] = path.split(".");
  return botSections.find((name) => fieldsOf[name].some((one) => one === field)) ?? "identity";
}
