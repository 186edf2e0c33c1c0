import texts from "#shared/locales/en/packages.json" with { type: "json" };
import type { Finding } from "#shared/packages/packages.ts";
import { fillText } from "#shared/variables/templates.ts";

export type FindingKey = keyof typeof texts;
type Params = Finding["params"];

/** Thrown for a package that cannot be imported; `finding` contains the reason as code and sentence. */
export class PackageError extends Error {
  readonly finding: Finding;
  constructor(key: FindingKey, params: Params = {}) {
    const finding = toFinding(key, params);
    super(finding.sentence);
    this.name = "PackageError";
    this.finding = finding;
  }
}

/**
 * Creates a finding from its key in `shared/locales/en/packages.json` (without `packages.`). Params come from the
 * package and are made safe to display: control and bidirectional characters are replaced, long values are shortened.
 */
export function toFinding(key: FindingKey, params: Params = {}): Finding {
  const safe: Params = {};
  for (const [name, value] of Object.entries(params)) safe[name] = typeof value === "string" ? printable(value) : value;
  return { code: `packages.${key}`, params: safe, sentence: fillText(texts[key], safe) };
}

/** The first three names of a list: `a, b, c, …`. */
export function listNames(names: string[]): string {
  return [...names.slice(0, 3).map(printable), ...(names.length > 3 ? ["…"] : [])].join(", ");
}

/** Bytes in MB, rounded to one decimal. */
export const megabytes = (bytes: number) => Math.round((bytes / 1024 ** 2) * 10) / 10;

// Includes bidirectional controls: `gpj.exe` must not be displayed as `exe.jpg`
const unprintable = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/gu;
const MAX_PARAM_CHARS = 400;

function printable(value: string): string {
  const clean = value.toWellFormed().replace(unprintable, "\ufffd");
  return clean.length > MAX_PARAM_CHARS ? `${clean.slice(0, 120)}…${clean.slice(-60)}` : clean;
}
