import { sql } from "kysely";
import type { Entry } from "#server/privacy/registryEntry.ts";

/** What is kept of the calls of language models: never their text. */
export const languageModels: Entry[] = [
  {
    key: "buttonRuns",
    table: "button_runs",
    what: "When you used buttons that ask a language model",
    fate: "delete",
    why: "Only needed for your limits",
    where: ({ id }) => sql`user_id = ${id}`,
  },
  {
    key: "aiUsage",
    table: "ai_usage",
    what: "Calls of language models that you caused",
    fate: "anonymise",
    why: "Kept without your name for the accounts of the company or academy; the calls hold no text",
    where: ({ id }) => sql`user_id = ${id}`,
    set: { user_id: sql`null` },
  },
];
