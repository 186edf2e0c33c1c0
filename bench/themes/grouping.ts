import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createQuestionGroups, termsOf } from "#server/analysis/questions/questionGroups.ts";
import { questionKey, similarity } from "#server/analysis/questions/questionKeys.ts";
import { readWords } from "#server/analysis/readWords.ts";
import { readStems } from "#server/analysis/stems.ts";
import { readConfig } from "#server/core/config.ts";
import { endPools } from "#server/core/database/pools.ts";
import { createLog } from "#server/core/log.ts";
import { startPostgres } from "#server/core/postgres/postgres.ts";
import { createServices } from "#server/core/services.ts";
import { COLLECTIONS, type Labelled, MANY } from "./_collections.ts";
import { compareGroups } from "./_measures.ts";

// Unanswered questions in groups, compared with the groups of people: `DATA=folder node bench/themes/grouping.ts`.
// `equal`: questions with the same content words; `before`: the rule until this one; `now`: with several thresholds.

const THRESHOLDS = [0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6];
const CHOSEN = 0.4;

const dataDir = mkdtempSync(join(tmpdir(), "lyceum-grouping-"));
const log = createLog("error");
const postgres = await startPostgres(dataDir, log);
const services = createServices(readConfig({ DATA_DIR: dataDir }), log, postgres.connection);

type Key = { words: Set<string>; text: string };
async function keysOf(items: Labelled[]): Promise<Key[]> {
  const stemsOf = await readStems(
    services.db,
    items.map(({ text }) => text),
  );
  return items.map(({ text }) => ({ text, words: questionKey(text, stemsOf(text)) }));
}

function groupEqual(keys: Key[]) {
  const known = new Map<string, number>();
  return keys.map(({ words }) => {
    const key = [...words].toSorted().join(" ");
    return known.get(key) ?? known.set(key, known.size).size - 1;
  });
}

/** Each question joins the group whose first question is most like it. */
function groupBefore(keys: Key[]) {
  const first: Key[] = [];
  return keys.map((key) => {
    const alike = first.map((other) => similarity(key.words, other.words));
    const best = alike.indexOf(Math.max(...alike));
    return (alike[best] ?? 0) > 0 ? best : first.push(key) - 1;
  });
}

async function createGrouping(items: Labelled[]) {
  const wordsOf = await readWords(
    services.db,
    items.map(({ text }) => text),
  );
  const terms = items.map(({ text }) => termsOf(wordsOf(text)));
  return (minAlike: number) => {
    const groups = createQuestionGroups<number>(terms, { minAlike });
    let count = 0;
    return terms.map((one) => {
      const group = groups.find({ terms: one }) ?? count++;
      groups.add(group, { terms: one });
      return group;
    });
  };
}

const show = (name: string, measured: ReturnType<typeof compareGroups>) =>
  console.log(
    `  ${name.padEnd(8)}`,
    Object.entries(measured)
      .map(([key, value]) => `${key} ${Number.isInteger(value) && value > 1 ? value : value.toFixed(3)}`)
      .join("  "),
  );

try {
  for (const [name, read] of Object.entries(COLLECTIONS)) {
    const items = read();
    const labels = items.map(({ label }) => label);
    const keys = await keysOf(items);
    const groupNow = await createGrouping(items);
    console.log(name);
    show("equal", compareGroups(labels, groupEqual(keys)));
    show("before", compareGroups(labels, groupBefore(keys)));
    for (const threshold of THRESHOLDS) show(`now ${threshold}`, compareGroups(labels, groupNow(threshold)));
  }
  const many = MANY();
  const started = performance.now();
  const groupMany = await createGrouping(many);
  const groups = new Set(groupMany(CHOSEN)).size;
  console.log(`${many.length} questions in ${groups} groups: ${Math.round(performance.now() - started)} ms`);
} finally {
  await endPools(services);
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
