import { email as emailShape } from "#shared/core/users.ts";

export type Person = { name: string; email: string };
export type RowStatus = "ok" | "noAddress" | "badAddress" | "duplicate";

const HEADER_CELL =
  /^(full |first |last |given |family |sur)?(name|e-?mail|e-?mail address|mail|address|vorname|nachname)$/i;
const isAddress = (text: string) => text.includes("@");
const cleanCell = (text: string) =>
  text
    .trim()
    .replace(/^["']+|["']+$/g, "")
    .trim();

/**
 * Parses people as typed or pasted, one or more per line: `Jonas Hagen <jonas@x.com>`, `jonas@x.com`,
 * `Jonas Hagen;jonas@x.com` in either order, columns of a spreadsheet, the To field of an email. A header line
 * is skipped.
 */
export function parsePeople(text: string): Person[] {
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter(Boolean);
  return lines.flatMap((line, at) => (at === 0 && isHeader(line) ? [] : parseLine(line)));
}

const isHeader = (line: string) =>
  line
    .split(/[\t;,]/)
    .map(cleanCell)
    .every((cell) => HEADER_CELL.test(cell));

function parseLine(line: string): Person[] {
  if (line.includes("<")) return parseBrackets(line);
  const cells = (line.includes("\t") ? line.split("\t") : line.split(/[;,]/)).map(cleanCell).filter(Boolean);
  return parseCells(cells.flatMap((cell) => (isAddress(cell) && /\s/.test(cell) ? splitNameAndAddress(cell) : [cell])));
}

/** Splits `Jonas Hagen jonas@x.com`, which has no separator, into name and address. */
const splitNameAndAddress = (cell: string) =>
  cell.split(/\s+/).reduce<string[]>((cells, word) => {
    const last = cells.at(-1);
    if (last === undefined || isAddress(word) || isAddress(last)) return [...cells, word];
    return [...cells.slice(0, -1), `${last} ${word}`];
  }, []);

/** Parses `Name <address>` pairs; an address within the name is a separate person. */
function parseBrackets(line: string): Person[] {
  const people: Person[] = [];
  let rest = line;
  for (const [whole, before = "", address = ""] of line.matchAll(/([^<>]*)<([^<>]*)>?/g)) {
    const parts = before.split(/[;,]/).map(cleanCell).filter(Boolean);
    people.push(...parts.filter(isAddress).map((email) => ({ name: "", email })));
    people.push({ name: parts.filter((part) => !isAddress(part)).join(", "), email: address.trim() });
    rest = rest.slice(whole.length);
  }
  const left = rest.replace(/^[\s;,]+/, "");
  return left && !left.includes("<") ? [...people, ...parseLine(left)] : people;
}

/** Parses cells: with one address they are one person; with several, the cells before each address are its name. */
function parseCells(cells: string[]): Person[] {
  const addresses = cells.filter(isAddress);
  const names = cells.filter((cell) => !isAddress(cell));
  if (addresses.length < 2) return cells.length > 0 ? [{ name: names.join(" "), email: addresses[0] ?? "" }] : [];
  let name: string[] = [];
  return cells.flatMap((cell) => {
    if (!isAddress(cell)) {
      name.push(cell);
      return [];
    }
    const person = { name: name.join(" "), email: cell };
    name = [];
    return [person];
  });
}

/** Formats a person as a line that `parsePeople` parses to the same person. */
export function formatPerson({ name, email }: Person) {
  const clean = (text: string) => text.replace(/[<>\t\r\n]/g, " ").trim();
  const [who, where] = [clean(name).replace(/[;@]/g, " "), clean(email)];
  return who || !isAddress(where) || /[\s;,]/.test(where) ? `${who} <${where}>`.trim() : where;
}

/** The status of each person, in order. Of several people with the same address, the first one is valid. */
export function checkPeople(people: Person[]): RowStatus[] {
  const addresses = new Set<string>();
  return people.map(({ email }) => {
    if (!email) return "noAddress";
    const address = emailShape.safeParse(email);
    if (!address.success) return "badAddress";
    if (addresses.has(address.data)) return "duplicate";
    addresses.add(address.data);
    return "ok";
  });
}
