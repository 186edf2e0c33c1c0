import texts from "#shared/locales/en/packages.json" with { type: "json" };
import type { Finding } from "#shared/packages.ts";

export type FindingKey = keyof typeof texts;
type Params = Finding["params"];

/** Thrown for a package that cannot be imported; `finding` says why, for people and for machines. */
export class PackageError extends Error {
  readonly finding: Finding;
  constructor(key: FindingKey, params: Params = {}) {
    const finding = describe(key, params);
    super(finding.sentence);
    this.name = "PackageError";
    this.finding = finding;
  }
}

/**
 * Makes a finding from its key in `shared/locales/en/packages.json` (without `packages.`). Params come from the package
 * and are made safe to print: control and direction characters are replaced, long values are cut in the middle.
 */
export function describe(key: FindingKey, params: Params = {}): Finding {
  const safe: Params = {};
  for (const [name, value] of Object.entries(params)) safe[name] = typeof value === "string" ? printable(value) : value;
  return { code: `packages.${key}`, params: safe, sentence: fill(texts[key], safe) };
}

/** The first three names of a list for a sentence, in no language: `a, b, c, …`. */
export function nameSome(names: string[]): string {
  return [...names.slice(0, 3).map(printable), ...(names.length > 3 ? ["…"] : [])].join(", ");
}

export const megabytes = (bytes: number) => Math.round((bytes / 1024 ** 2) * 10) / 10;

const fill = (text: string, params: Params) => text.replace(/\{\{(\w+)\}\}/g, (_, name) => String(params[name] ?? ""));

// Also the marks that turn the direction of writing: `gpj.exe` must not print as `exe.jpg`
const unprintable = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/gu;
const longest = 400;

function printable(value: string): string {
  const clean = value.toWellFormed().replace(unprintable, "\ufffd");
  return clean.length > longest ? `${clean.slice(0, 120)}…${clean.slice(-60)}` : clean;
}
