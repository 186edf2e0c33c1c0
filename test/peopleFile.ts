import { createRandom } from "#server/demo/random.ts";
import type { Reason } from "#shared/imports/importReasons.ts";

/** A fault of one kind, planted into a person; `why` is what the check has to say. */
type Fault = { name: string; why: Omit<Reason, "row">; plant: (cells: string[], n: number) => string[] };

const set =
  (column: number, value: string | ((n: number) => string)) =>
  (cells: string[], n: number): string[] =>
    cells.with(column, typeof value === "string" ? value : value(n));
const [NUMBER, EMAIL, NAME, STATUS] = [0, 1, 2, 3];
const long = "x".repeat(300);

/** Heads in German, as an HR system writes them; the last column is not imported. */
export const HEAD = ["Personalnummer", "E-Mail-Adresse", "Name", "Status", "Kantine"];

/** Every kind of fault that a row can have by itself. */
export const faults: Fault[] = [
  { name: "no email", why: { field: "email", code: "missing" }, plant: set(EMAIL, "") },
  { name: "no at sign", why: { field: "email", code: "invalid" }, plant: set(EMAIL, (n) => `person${n}.example.com`) },
  { name: "space", why: { field: "email", code: "invalid" }, plant: set(EMAIL, (n) => `per son${n}@example.com`) },
  { name: "no ending", why: { field: "email", code: "noEnding" }, plant: set(EMAIL, (n) => `person${n}@example`) },
  {
    name: "two addresses",
    why: { field: "email", code: "severalAddresses" },
    plant: set(EMAIL, (n) => `a${n}@example.com; b${n}@example.com`),
  },
  { name: "long email", why: { field: "email", code: "tooLong" }, plant: set(EMAIL, `${long}@example.com`) },
  { name: "lookup error", why: { field: "email", code: "spreadsheetError" }, plant: set(EMAIL, "#N/A") },
  {
    name: "unreadable email",
    why: { field: "email", code: "unreadable" },
    plant: set(EMAIL, "m\ufffdller@example.com"),
  },
  { name: "no name", why: { field: "name", code: "missing" }, plant: set(NAME, "  ") },
  { name: "long name", why: { field: "name", code: "tooLong" }, plant: set(NAME, long) },
  { name: "very long name", why: { field: "name", code: "tooLong" }, plant: set(NAME, long.repeat(10)) },
  { name: "formula", why: { field: "name", code: "formula" }, plant: set(NAME, '=HYPERLINK("http://x")') },
  { name: "at formula", why: { field: "name", code: "formula" }, plant: set(NAME, "@SUM(A1)") },
  { name: "link", why: { field: "name", code: "link" }, plant: set(NAME, "Win at www.prize.example") },
  { name: "markup", why: { field: "name", code: "link" }, plant: set(NAME, "<b>Ada</b>") },
  { name: "reference error", why: { field: "name", code: "spreadsheetError" }, plant: set(NAME, "#BEZUG!") },
  { name: "mojibake", why: { field: "name", code: "garbled" }, plant: set(NAME, "JÃ¼rgen MÃ¼ller") },
  { name: "unreadable name", why: { field: "name", code: "unreadable" }, plant: set(NAME, "J\ufffdrgen") },
  { name: "reversed text", why: { field: "name", code: "controlCharacter" }, plant: set(NAME, "Ada\u202egpj") },
  { name: "rounded number", why: { field: "externalId", code: "scientific" }, plant: set(NUMBER, "1,23457E+11") },
  { name: "long number", why: { field: "externalId", code: "tooLong" }, plant: set(NUMBER, long) },
  { name: "number formula", why: { field: "externalId", code: "formula" }, plant: set(NUMBER, "=A1+1") },
  { name: "number error", why: { field: "externalId", code: "spreadsheetError" }, plant: set(NUMBER, "#WERT!") },
  { name: "unknown status", why: { field: "status", code: "unknownStatus" }, plant: set(STATUS, "vielleicht") },
  { name: "left before", why: { field: "status", code: "newButSuspended" }, plant: set(STATUS, "ausgetreten") },
  { name: "too many cells", why: { field: null, code: "tooManyCells" }, plant: (cells) => [...cells, "one", "more"] },
];

const NAMES = [
  "Jürgen Müller",
  "Zoë Castaño",
  "Øyvind Håkonsen",
  "Ada O’Neil",
  "Łukasz Żak",
  "Nguyễn Văn An",
  "李 小龙",
];

export const personOf = (n: number, domain = "example.com"): string[] => [
  `P${String(n).padStart(6, "0")}`,
  `person${n}@${domain}`,
  `${NAMES[n % NAMES.length]} ${n}`,
  "aktiv",
  "ja",
];

/** People who are in the file twice, by email or number: the other row is one of the first tenth. */
const duplicates = ([EMAIL, NUMBER] as const).map((column) => ({
  name: "duplicate",
  column,
  why: { field: column === EMAIL ? ("email" as const) : ("externalId" as const), code: "duplicate" as const },
}));

/**
 * A file of `count` people, `wrong` of whom have a fault, of each kind about as many. `planted`: what is wrong, by row.
 */
export function peopleFile(count: number, wrong: number, domain?: string, seed = 1) {
  const random = createRandom(seed);
  const planted = new Map<number, Omit<Reason, "row">>();
  const rows = Array.from({ length: count }, (_, n) => personOf(n, domain));
  const first = Math.floor(count / 10);
  const free = rows.map((_, n) => n).slice(first);
  const kinds = [...faults, ...duplicates];
  for (let at = 0; at < wrong; at++) {
    const kind = kinds[at % kinds.length] as (typeof kinds)[number];
    const n = free.splice(Math.floor(random() * free.length), 1)[0] as number;
    const cells = rows[n] ?? [];
    const other = rows[Math.floor(random() * first)] ?? [];
    rows[n] =
      "plant" in kind ? kind.plant(cells, n) : cells.with(kind.column, (other[kind.column] ?? "").toUpperCase());
    planted.set(n + 2, kind.why);
  }
  return { rows, planted };
}

/** A file as CSV; `separated` by semicolons as Excel writes them in most of Europe. */
export const toCsv = (rows: string[][], separated = ";") =>
  [HEAD, ...rows]
    .map((row) =>
      row.map((cell) => (/["\r\n]/.test(cell) || cell.includes(separated) ? `"${cell.replaceAll('"', '""')}"` : cell)),
    )
    .map((row) => row.join(separated))
    .join("\r\n");
