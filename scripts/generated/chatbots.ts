import { createFacts, DAY_MS, iso, type Plan, range } from "./facts.ts";
import type { Table } from "./rows.ts";
import { isPriced, kindOf, rubric } from "./talks.ts";
import { courseTitle } from "./values.ts";
import { botSettings } from "#shared/chatbots/botSettings.ts";

const MODELS = { priced: "large-1", unpriced: "open-1" };
export const PROMPT_VERSIONS = 3;
const names = "Handbook|Practice talk|Tutor|Front desk".split("|");
export const botName = (bot: number) => `${names[bot % names.length]} ${bot + 1}`;
/** Chatbots with the second of their two versions have it since then. */
export const SECOND_VERSION_DAYS = 120;
export const modelOf = (bot: number) => (isPriced(bot) ? MODELS.priced : MODELS.unpriced);
/** Number of documents. */
export const documentsOf = ({ courses }: Plan) => courses * 2;

/** Chatbots with all that they need: a connector, a prompt, documents. */
export function chatbotTables(plan: Plan): Table[] {
  const { until } = plan;
  const { id } = createFacts(plan);
  const connector = id("connector", 0);
  const begun = iso(until - 800 * DAY_MS);
  const documents = documentsOf(plan);
  const bots = () => range(plan.chatbots);
  const settingsOf = (bot: number) => {
    const kind = kindOf(bot);
    return botSettings.parse({
      description: "Made for measurements.",
      connectorId: connector,
      model: modelOf(bot),
      promptId: id("prompt", 0),
      access: kind === "public" ? "public" : "signedIn",
      pedagogy: kind === "public" ? "answer" : kind,
      rubric: kind === "rolePlay" ? rubric : [],
      documentIds: Array.from(range(Math.min(8, documents)), (n) => id("document", (bot * 3 + n) % documents)).filter(
        (one, at, all) => all.indexOf(one) === at,
      ),
      retentionDays: 3650,
    });
  };
  return [
    {
      name: "connectors",
      columns: ["id", "name", "kind", "base_url", "status", "models"],
      *rows() {
        const models = Object.values(MODELS).map((model) => ({ id: model, use: "chat", prices: [] }));
        yield [connector, "Generated", "openai", "https://models.example", "disabled", models];
      },
    },
    {
      name: "prompts",
      columns: ["id", "key", "name", "purpose"],
      *rows() {
        yield [id("prompt", 0), "generated-tone", "Tone", "chatbot"];
      },
    },
    {
      name: "prompt_versions",
      columns: ["id", "prompt_id", "number", "body"],
      *rows() {
        for (const n of range(PROMPT_VERSIONS))
          yield [id("promptVersion", n), id("prompt", 0), n + 1, `Be brief, at most ${9 - n} sentences.`];
      },
    },
    {
      name: "documents",
      columns: ["id", "title", "source", "created_at"],
      *rows() {
        for (const n of range(documents)) yield [id("document", n), `Rules: ${courseTitle(n)}`, "text", begun];
      },
    },
    {
      name: "document_versions",
      columns: ["id", "document_id", "number", "name", "kind", "state", "created_at", "ready_at"],
      *rows() {
        for (const n of range(documents))
          yield [id("documentVersion", n), id("document", n), 1, "rules.md", "markdown", "ready", begun, begun];
      },
    },
    {
      name: "chatbots",
      columns: ["id", "name", "status", "settings", "created_at"],
      *rows() {
        for (const n of bots()) yield [id("chatbot", n), botName(n), "published", settingsOf(n), begun];
      },
    },
    {
      name: "chatbot_versions",
      columns: ["id", "chatbot_id", "number", "name", "settings", "published_at"],
      *rows() {
        for (const n of bots())
          for (const number of [1, 2])
            yield [
              id("chatbotVersion", n * 2 + number - 1),
              id("chatbot", n),
              number,
              botName(n),
              settingsOf(n),
              number === 1 ? begun : iso(until - SECOND_VERSION_DAYS * DAY_MS),
            ];
      },
    },
  ];
}
