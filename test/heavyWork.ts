import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { strToU8, zipSync } from "fflate";
import { analysisRuns } from "#shared/analysis/analysisRuns.ts";
import { auth } from "#shared/auth/auth.ts";
import { botSettings } from "#shared/chatbots/botSettings.ts";
import { chatbots } from "#shared/chatbots/chatbots.ts";
import { connectors } from "#shared/connectors/connectors.ts";
import { conversations } from "#shared/conversations/conversations.ts";
import { documents } from "#shared/documents/documents.ts";
import { learners } from "#shared/learners/learners.ts";
import { rawData } from "#shared/rawData/rawData.ts";
import { reports } from "#shared/reports/reports.ts";
import { createClient } from "#test/client.ts";
import { ADMIN, type Process } from "#test/process.ts";
import { startProvider } from "#test/providers/provider.ts";

const run = promisify(execFile);
const DAY_MS = 86_400_000;

/** Number of files of the imported package, and of rules of the indexed document. */
export type WorkSize = { files: number; rules: number };

/**
 * The kinds of heavy work of a server with generated data (`npm run generate`), by name; each resolves when its work is
 * done, and rejects if it fails. Response bodies are discarded as they arrive.
 */
export async function startHeavyWork(server: Process, size: WorkSize) {
  const admin = createClient(server.url);
  const { token } = await admin.call(auth.signIn, { body: ADMIN });
  admin.useToken(token);
  const provider = await startProvider("openai");
  const [company] = await server.query<{ id: string }>(
    "select company_id as id from enrolments group by 1 order by count(*) desc limit 1",
  );
  const companyId = company?.id as string;
  const download = async (path: string, query: Record<string, string> = {}) => {
    const reply = await fetch(`${server.url}${path.replace(":id", companyId)}?${new URLSearchParams(query)}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
    let bytes = 0;
    for await (const chunk of reply.body as unknown as AsyncIterable<Uint8Array>) bytes += chunk.length;
    return bytes;
  };
  const until = async (isDone: () => Promise<boolean>) => {
    while (!(await isDone())) await sleep(100);
  };

  // Generated courses have no packages.
  for (const { id } of await server.query<{ id: string }>("select id from course_versions"))
    mkdirSync(join(server.dataDir, "files/packages", id), { recursive: true });
  const bot = await createEndlessBot(admin, provider);
  let count = 0;
  const work: Record<string, () => Promise<unknown>> = {
    "import of a package": async () => {
      const { status, body } = await admin.upload("large.zip", packageOfFiles(size.files, ++count));
      if (status !== 200) throw new Error(`import: ${status} ${body.error}`);
    },
    "index of a document": async () => {
      count++;
      const text = Array.from(
        { length: size.rules },
        (_, at) => `# Rule ${at}\n\nRule ${at} of ${count}: ${"gate ladder harness ".repeat(20)}`,
      ).join("\n\n");
      const { id } = await admin.call(documents.addText, { body: { title: `Rules ${count}`, text } });
      await until(async () => (await admin.call(documents.get, { params: { id } })).live !== null);
    },
    "export of learners": () => download(learners.export.path),
    "export of values": () => download(rawData.export.path, { format: "csv" }),
    "report as of an earlier day": () =>
      download(reports.figures.path, { asOf: new Date(Date.now() - 30 * DAY_MS).toISOString().slice(0, 10) }),
    "PDF of a report": async () => {
      const { id } = await admin.call(reports.issue, { params: { id: companyId }, body: {} as never });
      const reply = await fetch(`${server.url}${reports.pdf.path.replace(":id", id)}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      if (!reply.ok) throw new Error(`PDF: ${reply.status}`);
      await reply.arrayBuffer();
    },
    "analysis of a year": async () => {
      const day = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
      const { id } = await admin.call(analysisRuns.create, {
        body: { title: "Year", kind: "counts", filter: { from: day(365), to: day(0), zone: "UTC" } },
      });
      const state = async () =>
        (await server.query<{ state: string }>("select state from analysis_runs where id = $1", [id]))[0]?.state;
      await until(async () => ["done", "failed", "cancelled"].includes((await state()) ?? "failed"));
      if ((await state()) !== "done") throw new Error(`analysis: ${await state()}`);
    },
    "endless answer": async () => {
      const params = { id: randomUUID() };
      await admin.call(conversations.start, { body: { id: params.id, chatbotId: bot, courseId: null } });
      provider.next({ text: endless() });
      await admin.call(conversations.send, { params, body: { id: randomUUID(), text: "Tell me everything." } });
      const answer = async () =>
        (await admin.call(conversations.get, { params })).turns.find(({ role }) => role === "assistant");
      await until(async () => !["waiting", "streaming"].includes((await answer())?.state ?? "waiting"));
      const { state, code, text = "" } = (await answer()) ?? {};
      if (code !== "length" || text.length < 1000) throw new Error(`answer: ${state} ${code} ${text.length}`);
    },
    backup: () =>
      run(process.execPath, ["scripts/backup.ts", join(server.dataDir, `backup-${++count}.tar`)], {
        cwd: join(import.meta.dirname, ".."),
        env: { ...process.env, DATA_DIR: server.dataDir },
      }),
  };
  return { work, stop: () => provider.stop() };
}

function* endless() {
  for (;;) yield "word ";
}

/** A published chatbot whose model never stops answering. */
async function createEndlessBot(
  admin: ReturnType<typeof createClient>,
  provider: Awaited<ReturnType<typeof startProvider>>,
) {
  const connector = await admin.call(connectors.create, {
    body: {
      name: "Stand-in",
      kind: "openai",
      baseUrl: provider.url,
      apiKey: provider.key,
      models: [{ id: "m", use: "chat", prices: [{ input: 1, output: 2, validFrom: "2020-01-01" }] }],
    },
  });
  await admin.call(connectors.test, { params: { id: connector.id }, body: {} });
  const settings = botSettings.parse({ connectorId: connector.id });
  const made = await admin.call(chatbots.create, { body: { name: "Endless", settings } });
  await admin.call(chatbots.publish, { params: { id: made.id }, body: { version: made.version } });
  return made.id;
}

function packageOfFiles(count: number, number: number) {
  const files = Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`media/${n}.txt`, strToU8(`${n} of ${number} `.repeat(200))]),
  );
  return zipSync({ "index.html": strToU8(`<!doctype html><title>Package ${number}</title>`), ...files }, { level: 1 });
}
