import type { PublicBot } from "#shared/chatbots/chatbots.ts";

/** What answers: a language model, a script, or the words of documents. People read which one before they write. */
export function kindOf({ usesModel, pedagogy }: Pick<PublicBot, "usesModel" | "pedagogy">) {
  if (usesModel) return "model";
  return pedagogy === "scene" ? "scene" : "documents";
}
