import { strToU8, zipSync } from "fflate";
import { afterAll, expect, test } from "vitest";
import { xlsxOf } from "#server/core/export/xlsx.ts";
import { createImporter } from "#test/importClient.ts";
import { start } from "#test/start.ts";
import { guessColumns } from "#shared/imports/guessColumns.ts";

// Files of people in every form that spreadsheets write, and files that cannot be read

const server = await start();
const jobs = await server.runJobs();
afterAll(() => jobs.stop());
const admin = await server.make.admin();
const importer = createImporter(server, admin);
const company = await server.make.company(admin);
const upload = (content: string | Uint8Array) => importer.upload(company.id, content);

async function* each<T>(rows: T[]) {
  yield* rows;
}
const xlsx = async (rows: (string | number)[][]) => Buffer.concat(await Array.fromAsync(xlsxOf(each(rows), "People")));
const bigEndian = (text: string) => Buffer.from(text, "utf16le").swap16();
const latin = (text: string) => Buffer.from(text, "latin1");

const people = "Name;E-Mail\nJürgen Müßig;j@x.example\nZoë Ávila;z@x.example\n";
test.each<[string, string | Uint8Array, string, string]>([
  ["UTF-8", people, "UTF-8", ";"],
  ["UTF-8 with a byte order mark", `\ufeff${people}`, "UTF-8", ";"],
  ["UTF-16 with a byte order mark", Buffer.from(`\ufeff${people}`, "utf16le"), "UTF-16", ";"],
  ["UTF-16 without one", Buffer.from(people, "utf16le"), "UTF-16", ";"],
  ["UTF-16, big-endian", bigEndian(`\ufeff${people}`), "UTF-16", ";"],
  ["UTF-16, big-endian without one", bigEndian(people), "UTF-16", ";"],
  ["Windows-1252", latin(people), "Windows-1252", ";"],
  ["tabs", people.replaceAll(";", "\t"), "UTF-8", "\t"],
  ["commas", people.replaceAll(";", ","), "UTF-8", ","],
  ["vertical bars", people.replaceAll(";", "|"), "UTF-8", "|"],
  ["carets", people.replaceAll(";", "^"), "UTF-8", "^"],
  ["line breaks of old Macs", people.replaceAll("\n", "\r"), "UTF-8", ";"],
  ["line breaks of Windows, blank lines", `\r\n;\r\n${people.replaceAll("\n", "\r\n\r\n")}`, "UTF-8", ";"],
  ["a line that names the delimiter", `sep=;\r\n${people}`, "UTF-8", ";"],
  ["quotes", people.replaceAll(/[^;\n]+/g, (cell) => `"${cell}"`), "UTF-8", ";"],
])("reads %s", async (_, content, encoding, delimiter) => {
  const file = await upload(content);
  expect(file).toMatchObject({ state: "ready", format: "csv", encoding, delimiter, mapping: ["name", "email"] });
  expect((await importer.listRows(file.id)).map(({ cells }) => cells)).toEqual([
    ["Jürgen Müßig", "j@x.example"],
    ["Zoë Ávila", "z@x.example"],
  ]);
});

test("reads cells with quotation marks, delimiters and line breaks", async () => {
  const file = await upload('"Name";"E-Mail"\n"Ada ""Countess""; Lovelace";a@x.example\n"Two\nlines";b@x.example');
  expect((await importer.listRows(file.id)).map(({ number, cells }) => [number, cells[0]])).toEqual([
    [2, 'Ada "Countess"; Lovelace'],
    [3, "Two\nlines"],
  ]);
});

test("reads a file without names of columns, and one with a single column", async () => {
  expect(await upload("Ada,ada@x.example\nBob,bob@x.example")).toMatchObject({ head: ["A", "B"], total: 2 });
  expect(await upload("Email\nada@x.example\nbob@x.example")).toMatchObject({ mapping: ["email"], unmapped: ["name"] });
});

test("reads workbooks, with numbers as they are shown", async () => {
  const file = await upload(
    await xlsx([
      ["Matricule", "Courriel", "Prénom", "Nom"],
      [1234567, "a@x.example", "Zoë", "Müller"],
      ["000815", "b@x.example", "Ada", "=1+1"],
    ]),
  );
  expect(file).toMatchObject({ format: "xlsx", mapping: ["externalId", "email", "firstName", "lastName"] });
  expect((await importer.listRows(file.id)).map(({ cells, outcome }) => [cells[0], cells[3], outcome])).toEqual([
    ["1234567", "Müller", "create"],
    ["000815", "=1+1", "rejected"],
  ]);
});

const cfb = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const wide = (count: number) => Array.from({ length: count }, (_, n) => `column ${n}`).join(";");
test.each<[string, () => string | Uint8Array | Promise<Uint8Array>]>([
  ["noRows", () => "Name;Email\n\n;\n"],
  ["empty", () => "\n\n"],
  ["unclosedQuote", () => 'Name;Email\nAda;a@x.example\n"Bob;b@x.example\nCem;c@x.example'],
  ["tooManyColumns", () => `${wide(61)}\na;b`],
  ["tooManyRows", () => `Name;Email\n${"a;a@x.example\n".repeat(50_001)}`],
  ["unknownFormat", () => "%PDF-1.7 and so on"],
  ["unknownFormat", () => Uint8Array.from({ length: 5000 }, (_, n) => (n * 7919) % 256)],
  ["unknownFormat", () => zipSync({ "word/document.xml": strToU8("<w/>") })],
  ["damaged", () => zipSync({ "xl/workbook.xml": strToU8("<workbook/>") })],
  ["damaged", () => strToU8("PK\x03\x04 but nothing else")],
  ["oldFormat", () => Uint8Array.from([...cfb, ...Array(600).fill(0)])],
  ["encrypted", () => Buffer.concat([Uint8Array.from(cfb), Buffer.from("EncryptedPackage", "utf16le")])],
  [
    "archiveBomb",
    () => zipSync({ "xl/workbook.xml": strToU8("<a/>"), "xl/worksheets/sheet1.xml": new Uint8Array(60 * 1024 ** 2) }),
  ],
])("says why it cannot read a file: %s", async (code, content) => {
  expect(await upload(await content())).toMatchObject({ state: "failed", code, counts: { create: 0 } });
});

test("a workbook whose sizes are lies ends its reader, not the server", { timeout: 120_000 }, async () => {
  const bytes = Buffer.from(
    zipSync({ "xl/workbook.xml": strToU8("<a/>"), "xl/sharedStrings.xml": new Uint8Array(2e8) }),
  );
  const size = Buffer.alloc(4);
  size.writeUInt32LE(2e8);
  for (let at = bytes.indexOf(size); at >= 0; at = bytes.indexOf(size)) bytes.writeUInt32LE(1000, at);
  expect(await upload(bytes)).toMatchObject({ state: "failed" });
  expect(await upload(people)).toMatchObject({ state: "ready" });
});

test("a failed file is deleted, and its row is named", async () => {
  const file = await upload('Name;Email\nAda;a@x.example\n"Bob;b@x.example');
  expect(file).toMatchObject({ code: "unclosedQuote", codeRow: 3 });
  const left = await server.db.selectFrom("files").where("purpose", "=", "import").where("deletedAt", "is", null);
  expect(await left.select("id").execute()).toEqual([]);
});

test.each([
  ["First Name|Last Name|Email Address|Employee ID|Employment Status", "firstName lastName email externalId status"],
  ["Vorname|Nachname|E-Mail-Adresse|Personal-Nr.|Beschäftigungsstatus", "firstName lastName email externalId status"],
  ["Prénom|Nom de famille|Adresse e-mail|N° matricule|Statut", "firstName lastName email externalId status"],
  ["Nombre|Apellidos|Correo electrónico|N.º empleado|Estado", "firstName lastName email externalId status"],
  ["Nombre y apellidos|Correo|Legajo|Activo|Sede", "name email externalId status -"],
  ["Nom|Courriel|Matricule|Service|Actif", "name email externalId - status"],
  ["Vollständiger Name|Mail|PERSNR|Abteilung|Aktiv", "name email externalId - status"],
])("guesses the columns of %s", (head, fields) => {
  expect(guessColumns({ about: "people", head: head.split("|"), sample: [] }).map((field) => field ?? "-")).toEqual(
    fields.split(" "),
  );
});
