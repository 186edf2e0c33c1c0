import type { PublicBot } from "#shared/chatbots/chatbots.ts";

/** What answers: a language model, a script, or quotes from documents. Shown before the first message. */
export function kindOf({ usesModel, pedagogy }: Pick<PublicBot, "usesModel" | "pedagogy">) {
  if (usesModel) return "model";
  return pedagogy === "scene" ? "scene" : "documents";
}
