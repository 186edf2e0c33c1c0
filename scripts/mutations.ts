import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom } from "#server/demo/random.ts";

/**
 * Changes one operator of a file at a time and runs the tests that ought to notice: `FILE=part COUNT=8 SEED=1`. Prints
 * each change that no test has noticed. Run it in a clean clone: the files are changed in place, and restored.
 */

/** The files that decide most, and the tests of each. */
const SUBJECTS: Record<string, string[]> = {
  "server/player/fold.ts": ["server/player"],
  "server/player/completionRule.ts": ["server/player", "test/completionHistory"],
  "server/player/outcomeTime.ts": ["server/player", "test/history"],
  "server/player/newSession.ts": ["server/player"],
  "server/core/database/scope.ts": ["test/scope", "test/guard", "test/keyCrawl", "test/companyCrawl"],
  "server/core/database/listing.ts": [
    "server/learners",
    "server/companies",
    "server/audit",
    "server/reports/dashboardRows",
  ],
  "server/core/limits/guestLimit.ts": ["server/core/limits", "test/guestLimits"],
  "server/courses/reminders.ts": ["server/courses", "test/completionHistory"],
  "server/courses/attemptAccess.ts": ["server/courses", "server/player"],
  "server/events/registrations/registrationTransitions.ts": ["server/events"],
  "server/events/registrations/seats.ts": ["server/events"],
  "server/events/registrations/offers.ts": ["server/events"],
  "server/connectors/budgets.ts": ["server/connectors"],
  "server/connectors/masking.ts": ["server/connectors"],
  "server/conversations/limits.ts": ["server/conversations"],
  "server/variables/fold/fold.ts": ["server/variables"],
  "server/flows/rules.ts": ["server/flows"],
  "server/files/quota.ts": ["server/files"],
  "shared/core/users.ts": ["test/guard", "test/scope"],
  "shared/events/eventPhases.ts": ["shared/events", "server/events"],
};

/** What is replaced by what, in code without comments and types. */
const OPERATORS: [RegExp, string][] = [
  [/ < /g, " <= "],
  [/ <= /g, " < "],
  [/ > /g, " >= "],
  [/ >= /g, " > "],
  [/ === /g, " !== "],
  [/ !== /g, " === "],
  [/ && /g, " || "],
  [/ \|\| /g, " && "],
  [/ \+ /g, " - "],
  [/ - /g, " + "],
  [/\btrue\b/g, "false"],
  [/\bfalse\b/g, "true"],
  [/Math\.min\(/g, "Math.max("],
  [/Math\.max\(/g, "Math.min("],
  [/\.some\(/g, ".every("],
  [/\.every\(/g, ".some("],
  [/(?<=\bif \()(?=[a-z])/g, "!"],
];

type Mutant = { line: number; before: string; after: string };

function listMutants(source: string): Mutant[] {
  return source.split("\n").flatMap((text, index) => {
    const isCode = !/^\s*(\/\/|\/?\*|import |export type |type |\} from)/.test(text);
    return !isCode
      ? []
      : OPERATORS.flatMap(([pattern, replacement]) =>
          [...text.matchAll(pattern)].map(({ index: at, 0: { length } }) => ({
            line: index,
            before: text,
            after: text.slice(0, at) + replacement + text.slice(at + length),
          })),
        );
  });
}

const root = join(import.meta.dirname, "..");
const only = process.env.FILE ?? "";
const count = Number(process.env.COUNT ?? 8);
const random = createRandom(Number(process.env.SEED ?? 1));
const shuffle = <T>(items: T[]) =>
  items
    .map((item) => ({ item, key: random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item);

let [killed, survived] = [0, 0];
for (const [path, tests] of Object.entries(SUBJECTS).filter(([name]) => name.includes(only))) {
  const file = join(root, path);
  const source = readFileSync(file, "utf8");
  for (const { line, before, after } of shuffle(listMutants(source)).slice(0, count)) {
    try {
      writeFileSync(file, source.split("\n").with(line, after).join("\n"));
      const args = ["node_modules/vitest/vitest.mjs", "run", "--bail", "1", ...tests];
      const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "ignore", timeout: 300_000 });
      if (status === 0) {
        survived++;
        console.log(`survived: ${path}:${line + 1}\n  - ${before.trim()}\n  + ${after.trim()}`);
      } else killed++;
    } finally {
      writeFileSync(file, source);
    }
  }
  console.log(`${path}: ${killed} killed, ${survived} survived so far`);
}
