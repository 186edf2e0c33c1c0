import type { FoundAt, Risk, RiskCode } from "#shared/packages/packageCheck.ts";
import { limits } from "#server/packages/doctor/limits.ts";
import type { Tag } from "#server/packages/doctor/markup.ts";
import { type PlaceFinder, printable, wholeFile } from "#server/packages/doctor/places.ts";
import { listCalls, type ScriptText } from "#server/packages/doctor/script.ts";
import type { ListedFile } from "#server/packages/doctor/sources.ts";

/** Collects findings, each with at most `limits.names` names and `limits.places` places. */
export function createRisks() {
  const risks = new Map<RiskCode, { names: Set<string>; places: FoundAt[]; count: number }>();
  return {
    /** A name counts once, however many places it has. */
    add(code: RiskCode, name: string | null, at: FoundAt) {
      const risk = risks.get(code) ?? { names: new Set<string>(), places: [], count: 0 };
      risks.set(code, risk);
      const shown = name === null ? null : printable(name);
      if (shown !== null && risk.names.has(shown)) return;
      risk.count++;
      if (shown !== null && risk.names.size < limits.references) risk.names.add(shown);
      if (risk.places.length < limits.places) risk.places.push({ ...at, file: printable(at.file) });
    },
    list: (): Risk[] =>
      [...risks].map(([code, { names, places, count }]) => ({
        code,
        count,
        names: [...names].slice(0, limits.names),
        places,
      })),
  };
}
export type Risks = ReturnType<typeof createRisks>;

const programs = /\.(exe|dll|msi|bat|cmd|com|scr|ps1|vbs|sh|jar|apk|dmg|app|hta)$/i;
const plugins = /\.(swf|dcr|flv|class|xap)$/i;

export function findRisksOfFiles(files: ListedFile[], risks: Risks) {
  for (const { path } of files) {
    if (programs.test(path)) risks.add("programs", path, wholeFile(path));
    if (plugins.test(path)) risks.add("plugins", path, wholeFile(path));
  }
}

const codeMarks: [RiskCode, RegExp][] = [
  ["closesWindow", /\b(?:window|top|parent|self)\.close\s{0,9}\(/g],
  ["opensWindow", /\bwindow\.open\s{0,9}\(/g],
  ["leavesFrame", /\b(?:top|parent)\.(?:location|document)\b/g],
  ["dialogs", /(?<![\w$.])(?:window\.)?(?:alert|confirm|prompt)\s{0,9}\(/g],
  ["documentDomain", /\bdocument\.domain\s{0,9}=(?!=)/g],
  ["evaluates", /(?<![\w$.])eval\s{0,9}\(|\bnew\s{1,9}Function\s{0,9}\(|\bdocument\.write(?:ln)?\s{0,9}\(/g],
  ["serviceWorker", /\bserviceWorker\s{0,9}\.\s{0,9}register\b/g],
  ["storage", /\b(?:localStorage|sessionStorage|indexedDB)\b/g],
];
const isDeclared = (code: string, at: number) => /function\s{1,9}$/.test(code.slice(Math.max(0, at - 18), at));

/** Calls that have no effect inside the player, or that a course should not make. */
export function findRisksOfScript(file: string, script: ScriptText, placeOf: PlaceFinder, risks: Risks) {
  for (const [code, pattern] of codeMarks) {
    let count = 0;
    for (const { index } of script.code.matchAll(pattern)) {
      if (isDeclared(script.code, index)) continue;
      risks.add(code, file, placeOf(index));
      if (++count >= limits.places) break;
    }
  }
  for (const { at, name, first } of listCalls(script))
    if (/(^|\.)Lyceum\.(get|set)$/.test(name)) risks.add("variables", first, placeOf(at));
}

export function findRisksOfPage(tags: Tag[], placeOf: PlaceFinder, risks: Risks) {
  const isTracked = (n: number) => {
    for (let at = n + 1; at < tags.length; at++) {
      const name = tags[at]?.name;
      if (name === "track") return true;
      if (name !== "source" && name !== "p" && name !== "a") return false;
    }
    return false;
  };
  for (const [n, { name, at, attributes }] of tags.entries()) {
    if (name === "video" && !isTracked(n)) risks.add("noCaptions", null, placeOf(at));
    if (name === "img" && !attributes.has("alt") && attributes.get("aria-hidden") !== "true")
      risks.add("noAltTexts", null, placeOf(at));
    if (name === "applet" || (name === "object" && /java|flash/i.test(objectKind(attributes))))
      risks.add("plugins", null, placeOf(at));
  }
}
const objectKind = (attributes: Map<string, string>) =>
  `${attributes.get("type") ?? ""} ${attributes.get("classid") ?? ""} ${attributes.get("codetype") ?? ""}`;
