import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findTypicalPhrases } from "#server/analysis/typicalPhrases.ts";
import { readWords } from "#server/analysis/readWords.ts";
import { readConfig } from "#server/core/config.ts";
import { endPools } from "#server/core/database/pools.ts";
import { createLog } from "#server/core/log.ts";
import { startPostgres } from "#server/core/postgres/postgres.ts";
import { createServices } from "#server/core/services.ts";
import { TALKS, type Talk } from "./_talks.ts";

// Nine known themes in conversations with small talk, and how many of them the shown phrases name:
// `DATA=folder node bench/themes/themes.ts`. A phrase names the theme that most of its conversations have, if these
// are at least `PURE` of them.

const SHOWN = 10;
const PURE = 0.6;
/** What the conversations are compared with. */
const KINDS = ["nothing", "another subject", "similar themes"];

const dataDir = mkdtempSync(join(tmpdir(), "lyceum-themes-"));
const log = createLog("error");
const postgres = await startPostgres(dataDir, log);
const services = createServices(readConfig({ DATA_DIR: dataDir }), log, postgres.connection);

async function measure({ talks, similar, different, minPeople }: Talk) {
  const said = [...talks, ...similar, ...different];
  const wordsOf = await readWords(
    services.db,
    said.flatMap(({ texts }) => texts),
  );
  const messagesOf = (list: Talk["talks"], prefix: string) =>
    list.flatMap(({ texts }, at) =>
      texts.map((text) => ({
        conversationId: `${prefix}${at}`,
        person: `${prefix}${at}`,
        words: wordsOf(text),
      })),
    );
  const backgrounds = [[], messagesOf(different, "other"), messagesOf(similar, "other")];
  const measured = backgrounds.map(async (background) => {
    const phrases = await findTypicalPhrases({ messages: messagesOf(talks, ""), background, minPeople, listed: SHOWN });
    return phrases.map(({ text, ids }) => {
      const themes = ids.map((id) => talks[Number(id)]!.theme ?? "small talk");
      const [most = ["", 0]] = [...Map.groupBy(themes, (theme) => theme)]
        .map(([theme, same]): [string, number] => [theme, same.length])
        .toSorted((a, b) => b[1] - a[1]);
      const theme = most[1] >= PURE * themes.length && most[0] !== "small talk" ? most[0] : null;
      return { text, conversations: ids.length, theme };
    });
  });
  return Promise.all(measured);
}

try {
  for (const [name, draw] of Object.entries(TALKS).filter(([n]) => !process.env.ONLY || n === process.env.ONLY)) {
    const draws = draw();
    const sums = KINDS.map(() => ({ found: 0, right: 0, shown: 0 }));
    for (const [at, talk] of draws.entries())
      for (const [kind, phrases] of (await measure(talk)).entries()) {
        const themes = phrases.flatMap(({ theme }) => theme ?? []);
        const sum = sums[kind]!;
        sum.found += new Set(themes).size / draws.length;
        sum.right += themes.length / draws.length;
        sum.shown += phrases.length / draws.length;
        if (at === 0 || process.env.ALL)
          console.log(
            `  ${name} ${KINDS[kind]}: ` +
              phrases.map(({ text, theme, conversations }) => `${text} ${conversations} (${theme ?? "–"})`).join("; "),
          );
      }
    for (const [kind, { found, right, shown }] of sums.entries())
      console.log(
        `${name} ${KINDS[kind]}: ${found.toFixed(1)} of nine themes, ` +
          `${right.toFixed(1)} of ${shown.toFixed(1)} phrases (${draws.length} draws)`,
      );
  }
} finally {
  await endPools(services);
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
