import { sql } from "kysely";
import { groupQuestions } from "#server/analysis/questions/questionGrouping.ts";
import { questionClusters } from "#shared/analysis/questionClusters.ts";
import { createBotMaker } from "#test/bots.ts";
import type { Person, start } from "#test/start.ts";

/** Questions that a chatbot with a small handbook refuses, and the groups of them. */
export function createQuestionMaker(server: Awaited<ReturnType<typeof start>>) {
  const { as, services, db } = server;
  const { createBot, talk } = createBotMaker(server);
  const ask = async (who: Person, bot: { id: string }, ...texts: string[]) => {
    const chats = [];
    for (const text of texts) {
      const chat = await talk(who, bot);
      await chat.send(text);
      for (;;) {
        const last = (await chat.read()).turns.at(-1);
        if (last && !["waiting", "streaming"].includes(last.state)) break;
      }
      chats.push(chat);
    }
    return chats;
  };
  const group = () => groupQuestions.work(services, {});
  const list = async (admin: Person, query: { chatbotId?: string; status?: "all" | "answered" | "dismissed" }) =>
    (await as(admin)(questionClusters.list, { query })).body.items;
  /** Every text that the tables of groups hold. */
  const dump = async () => {
    const { rows } = await sql<{ text: string }>`
      select coalesce(string_agg(r.text, ' '), '') as text from (
        select to_jsonb(k)::text as text from question_clusters k union all select to_jsonb(g)::text from clustered_questions g) r`.execute(
      db,
    );
    return rows[0]?.text ?? "";
  };
  return { createBot, ask, group, list, dump };
}
