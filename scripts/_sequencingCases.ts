import { existsSync } from "node:fs";
import { caseFolder, listCases, readCase } from "#test/adlCases.ts";
import { replayCase } from "#test/adlReplay.ts";

export const hasSequencingCases = (suite: string) => existsSync(caseFolder(suite));

/**
 * Replays the sequencing test cases of ADL's SCORM 2004 4th Edition suite, each twice: with one engine, and with one
 * that is built from its stored state before every step. Prints a line for each case, and the count last. True if all
 * passed.
 */
export async function replaySequencing(suite: string, write: (line: string) => void): Promise<boolean> {
  const cases = listCases(suite);
  let passed = 0;
  for (const name of cases) {
    const test = readCase(suite, name);
    const [once, stored] = [
      await attempt(() => replayCase(suite, test, false)),
      await attempt(() => replayCase(suite, test, true)),
    ];
    if (once === null && stored === null) passed++;
    const differs = once === stored ? "" : ` (from its stored state: ${stored ?? "passed"})`;
    write(`${name.padEnd(7)} ${once === null ? "passed" : `FAILED ${once}`}${differs}`);
  }
  write(`${passed} of ${cases.length} passed`);
  return passed === cases.length;
}

const attempt = (replay: () => Promise<string | null>) =>
  replay().catch((error: unknown) => `threw ${(error as Error).message}`);
