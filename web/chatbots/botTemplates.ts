import texts from "#shared/chatbots/botTemplates.json" with { type: "json" };
import { type BotSettings, botSettings } from "#shared/chatbots/botSettings.ts";

type Need = "documents" | "courses";
export type BotTemplate = { key: string; name: string; text: string; needs: Need[]; settings: BotSettings };

/** Chatbots for common uses, ready to publish without a language model. */
export const botTemplates: BotTemplate[] = Object.entries(texts).map(([key, { name, text, needs, settings }]) => ({
  key,
  name,
  text,
  needs: needs as Need[],
  settings: botSettings.parse(settings),
}));
