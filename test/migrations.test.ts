import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

// Migrations only add, so that the previous version can continue to serve (test/liveUpgrade.test.ts); migrations from
// before this rule are exempt

const LAST_WITHOUT_RULE = "0063_report_speed.sql";
const folder = join(import.meta.dirname, "../migrations");

/**
 * Statements that remove what the previous version may still use, or that rewrite or read a whole table under a lock.
 */
const REFUSED: [reason: string, pattern: RegExp][] = [
  ["drops what the previous version reads", /\bdrop (table|column|function|view)\b/],
  ["renames what the previous version reads", /\brename\b/],
  ["rewrites a table", /\balter column \w+ (set data )?type\b|\bgenerated always as \(|\bvacuum full\b|\bcluster\b/],
  [
    "reads a whole table under a lock",
    // A constraint that is not valid is checked for new rows only.
    /\bset not null\b|\badd (constraint \w+ )?(check|foreign key|unique|primary key)\b(?![\s\S]*\bnot valid\b)/,
  ],
  ["needs a value that the previous version does not write", /\badd column (?!.*\bdefault\b)[^,;]*\bnot null\b/],
  ["empties a table", /\btruncate (?!on\b)/],
];

const withoutComments = (sql: string) => sql.replaceAll(/--.*$/gm, "").replaceAll(/\$\$[\s\S]*?\$\$/g, "");
const tablesMadeIn = (sql: string) =>
  [...sql.matchAll(/create table (?:if not exists )?(\w+)/g)].map(([, name]) => name);

test.each(readdirSync(folder).filter((name) => name > LAST_WITHOUT_RULE))("%s only adds", (name) => {
  const sql = withoutComments(readFileSync(join(folder, name), "utf8").toLowerCase());
  const own = tablesMadeIn(sql);
  for (const statement of sql.split(";")) {
    const table = /\balter table (?:only )?(\w+)/.exec(statement)?.[1];
    if (table && own.includes(table)) continue;
    for (const [reason, pattern] of REFUSED)
      expect([reason, pattern.exec(statement)?.[0]]).toEqual([reason, undefined]);
    const indexed = /\bcreate (?:unique )?index (?:if not exists )?\w+ on (\w+)/.exec(statement)?.[1];
    const blocked = indexed && !own.includes(indexed) ? indexed : undefined;
    expect(["an index of an existing table blocks its writers", blocked]).toEqual([
      "an index of an existing table blocks its writers",
      undefined,
    ]);
  }
});
