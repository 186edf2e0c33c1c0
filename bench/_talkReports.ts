import { analysis } from "#shared/analysis/analysis.ts";
import { analysisRuns } from "#shared/analysis/analysisRuns.ts";
import { analyticsRows } from "#shared/analysis/conversationAnalytics.ts";
import { auth } from "#shared/auth/auth.ts";
import { chatbots } from "#shared/chatbots/chatbots.ts";
import { conversations } from "#shared/conversations/conversations.ts";
import { questionClusters } from "#shared/analysis/questionClusters.ts";
import { createClient } from "#test/client.ts";
import type { Cases, startGenerated } from "./_generated.ts";
import { PASSWORD } from "#test/password.ts";

const DAY_MS = 86_400_000;
const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
const withQuery = (path: string, query: Record<string, string>) => `${path}?${new URLSearchParams(query)}`;

/**
 * What admins and learners read about conversations, with a bare statement for each: the turns of the same
 * conversations grouped by state, a page of conversations by their time, or the turns of one conversation.
 */
export async function talkCases({ client, pool, readRow, server }: Awaited<ReturnType<typeof startGenerated>>) {
  const month = { from: dayBefore(30), to: dayBefore(0) };
  const most = (column: string) =>
    readRow<{ id: string }>(
      `select ${column} as id from conversations where ${column} is not null and not is_preview group by 1 order by count(*) desc, 1 limit 1`,
    );
  const [bot, company, person] = await Promise.all([most("chatbot_id"), most("company_id"), most("user_id")]);
  const { day } = await readRow<{ day: string }>(
    `select (started_at at time zone 'UTC')::date::text as day from conversations where started_at < now() - interval '1 day'
      group by 1 order by count(*) desc, 1 limit 1`,
  );
  const long = await readRow<{ id: string }>(
    `select id from conversations where user_id = '${person.id}' and not is_preview order by questions desc, id limit 1`,
  );
  const { email } = await readRow<{ email: string }>(`select email from users where id = '${person.id}'`);
  const learner = createClient(server.url);
  const { token } = await learner.call(auth.signIn, { body: { email, password: PASSWORD } });

  const bareFigures = (from: string, to: string, condition = "true") => {
    const text = `select t.role, t.state, count(*), sum(t.cost_micros) from conversations c join turns t on t.conversation_id = c.id
      where c.started_at >= $1 and c.started_at < $2::date + 1 and not c.is_preview and ${condition} group by 1, 2`;
    return () => pool.query({ name: `figures ${condition}`, text, values: [from, to] });
  };
  const barePage = (condition = "true") => {
    const text = `select * from conversations where ${condition} order by last_at desc limit 25`;
    return () => pool.query({ name: `page ${condition}`, text });
  };
  const bareTurns = () =>
    pool.query({ name: "turns", text: "select * from turns where conversation_id = $1", values: [long.id] });
  const bareMonth = bareFigures(month.from, month.to);
  const ofBot = `chatbot_id = '${bot.id}'`;
  const ofPerson = `user_id = '${person.id}'`;
  const at = ({ path }: { path: string }, query: Record<string, string> = {}, id = long.id) =>
    withQuery(path.replace(":id", id), query);
  const lastPage = async (condition: string) => {
    const { n } = await readRow<{ n: number }>(
      `select count(*)::int as n from conversations where not is_preview and questions > 0 and ${condition}`,
    );
    return String(Math.max(1, Math.floor(n / 25)));
  };
  const isOfMonth = `started_at >= '${month.from}'`;

  /** An analysis of as many conversations as one may have; it counts and calls no model. */
  const year = { from: dayBefore(365), to: month.to };
  const counted = { title: "Bench", kind: "counts" as const, filter: { ...year, zone: "UTC" } };
  const run = await client.call(analysisRuns.create, { body: counted });
  for (;;) {
    const { state } = await readRow<{ state: string }>(`select state from analysis_runs where id = '${run.id}'`);
    if (state === "done") break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const group = await readRow<{ id: string }>(
    "select cluster_id as id from clustered_questions group by 1 order by count(*) desc, 1 limit 1",
  );
  const cases: Cases = {
    "analytics, 30 days": { path: at(analysis.analytics, month), bare: bareMonth },
    "analytics, 30 days of a chatbot": {
      path: at(analysis.analytics, { ...month, chatbotId: bot.id }),
      bare: bareFigures(month.from, month.to, ofBot),
    },
    "analytics, 30 days of a company": {
      path: at(analysis.analytics, { ...month, companyId: company.id }),
      bare: bareFigures(month.from, month.to, `company_id = '${company.id}'`),
    },
    "analytics, a day": { path: at(analysis.analytics, { from: day, to: day }), bare: bareFigures(day, day) },
    "analytics, a year": { path: at(analysis.analytics, year), bare: bareFigures(year.from, year.to) },
    "analytics, export of 30 days": { path: at(analyticsRows.export, month), bare: bareMonth },
    "analytics, conversations": { path: at(analyticsRows.conversations, month), bare: barePage(isOfMonth) },
    "analytics, conversations, last page": {
      path: at(analyticsRows.conversations, { ...month, page: await lastPage(isOfMonth) }),
      bare: barePage(isOfMonth),
    },
    "analytics, conversations without an answer": {
      path: at(analyticsRows.conversations, { ...month, figure: "noAnswer" }),
      bare: barePage(isOfMonth),
    },
    transcripts: { path: at(conversations.all), bare: barePage() },
    "transcripts, search": { path: at(conversations.all, { q: "ladder" }), bare: barePage() },
    "transcripts of a chatbot": { path: at(conversations.all, { chatbotId: bot.id }), bare: barePage(ofBot) },
    "transcripts of a chatbot, last page": {
      path: at(conversations.all, { chatbotId: bot.id, page: await lastPage(ofBot) }),
      bare: barePage(ofBot),
    },
    transcript: { path: at(conversations.transcript), bare: bareTurns },
    chatbots: { path: at(chatbots.list), bare: bareMonth },
    "looking back, a learner's list": { path: at(analysis.reviews), bare: barePage(ofPerson), token },
    "looking back, a learner's conversation": { path: at(analysis.review), bare: bareTurns, token },
    "looking back, an admin's list of a learner": {
      path: at(analysis.reviews, { userId: person.id }),
      bare: barePage(ofPerson),
    },
    "looking back, an admin's conversation of a learner": { path: at(analysis.review), bare: bareTurns },
    "agreement of scores": { path: at(analysis.agreement), bare: bareMonth },
    analyses: { path: at(analysisRuns.list), bare: barePage() },
    "analyses, estimate of a year": {
      path: analysisRuns.estimate.path,
      body: { filter: counted.filter },
      bare: bareFigures(year.from, year.to),
    },
    "analyses, result of 5,000 conversations": { path: at(analysisRuns.get, {}, run.id), bare: bareMonth },
    "unanswered questions": { path: at(questionClusters.list), bare: bareMonth },
    "unanswered questions, search": { path: at(questionClusters.list, { q: "ladder" }), bare: bareMonth },
    "unanswered questions, a group": { path: at(questionClusters.get, {}, group.id), bare: bareMonth },
  };
  return cases;
}
