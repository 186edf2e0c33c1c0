import type { Field } from "#shared/fields/fields.ts";
import { guessCompletionHeads } from "#shared/imports/completionHeads.ts";
import { fieldsAbout, type ImportAbout, type ImportColumn, type ImportField } from "#shared/imports/importReasons.ts";

/** The head of a column in the form that is compared: lower case, without accents and signs. */
export const normalHead = (head: string) =>
  head
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Heads of columns in English, German, French, Spanish and Norwegian, as `normalHead` writes them. */
const heads: Partial<Record<ImportField, string>> = {
  email:
    "email|e mail|mail|email address|e mail address|mail address|work email|business email|emailadresse|" +
    "e mail adresse|mailadresse|courriel|adresse e mail|adresse email|adresse mail|adresse electronique|mel|correo|" +
    "correo electronico|direccion de correo|direccion de correo electronico|e post|epost",
  name:
    "name|full name|fullname|display name|displayname|person|employee|employee name|vollstandiger name|" +
    "mitarbeiter|mitarbeitername|anzeigename|nom complet|nom et prenom|nom prenom|employe|salarie|nombre completo|" +
    "nombre y apellidos|empleado|navn|fullt navn",
  firstName:
    "first name|firstname|given name|givenname|forename|vorname|rufname|prenom|nombre|nombre de pila|primer nombre|" +
    "fornavn",
  lastName:
    "last name|lastname|surname|family name|familyname|nachname|familienname|zuname|nom|nom de famille|apellido|" +
    "apellidos|etternavn",
  externalId:
    "external id|externalid|employee id|employeeid|employee number|employee no|employee nr|personnel number|" +
    "personnel no|personnel id|staff id|staff number|hr id|worker id|id|personalnummer|personal nr|personalnr|pnr|" +
    "pers nr|persnr|mitarbeiternummer|mitarbeiter nr|mitarbeiter id|stammnummer|matricule|n matricule|no matricule|" +
    "numero matricule|" +
    "numero de matricule|numero employe|numero d employe|identifiant|" +
    "numero de empleado|n empleado|n o empleado|no empleado|" +
    "codigo de empleado|id empleado|legajo|ansattnummer|ansattnr",
  status:
    "status|employment status|employee status|account status|active|is active|enabled|account enabled|" +
    "beschaftigungsstatus|aktiv|statut|etat|actif|estado|situacion|activo",
  manager:
    "manager|manager email|manager e mail|manager id|manager number|line manager|line manager email|supervisor|" +
    "supervisor email|supervisor id|reports to|reporting to|team lead|teamleader|boss|vorgesetzter|vorgesetzte|" +
    "vorgesetzte r|vorgesetzten nr|fuhrungskraft|teamleitung|teamleiter|leiter|responsable|superieur|" +
    "superieur hierarchique|responsable hierarchique|n 1|jefe|jefa|supervisora|leder|naermeste leder|nærmeste leder",
};
const byHead = new Map(
  Object.entries(heads).flatMap(([field, names]) =>
    names.split("|").map((name): [string, ImportField] => [name, field as ImportField]),
  ),
);

/** Under which key the column of a head is remembered. */
export const rememberedKey = (about: ImportAbout, name: string) => (about === "people" ? name : `${about}: ${name}`);

/**
 * The field of each column by its head: remembered, or else guessed. A field has at most one column, the first that
 * matches. If none is the email column, the first whose sample is an email address becomes it. Heads of the company's
 * own fields are their names and keys.
 */
export function guessColumns(
  { about, head, sample }: { about: ImportAbout; head: string[]; sample: string[] },
  remembered: Record<string, ImportColumn | null> = {},
  own: Pick<Field, "id" | "key" | "name">[] = [],
): (ImportColumn | null)[] {
  const offered = new Set<ImportColumn | null>(fieldsAbout[about]);
  const used = new Set<ImportColumn>();
  const ownByHead = new Map(
    own.flatMap(({ id, key, name }): [string, ImportColumn][] => [
      [normalHead(name), `own:${id}`],
      [normalHead(key), `own:${id}`],
    ]),
  );
  const isOffered = (column: ImportColumn | null) =>
    column === null || offered.has(column) || own.some(({ id }) => column === `own:${id}`);
  const guessed =
    about === "people"
      ? head.map((text) => byHead.get(normalHead(text)) ?? null)
      : guessCompletionHeads(head.map((text) => normalHead(text.replaceAll("%", " percent "))));
  const columns = head.map((text, at) => {
    const name = normalHead(text);
    const key = rememberedKey(about, name);
    const before = remembered[key] ?? null;
    const isRemembered = Object.hasOwn(remembered, key) && isOffered(before);
    const field = isRemembered ? before : (guessed[at] ?? ownByHead.get(name) ?? null);
    if (!field || used.has(field)) return null;
    used.add(field);
    return field;
  });
  const free = (at: number) =>
    columns[at] === null && !Object.hasOwn(remembered, rememberedKey(about, normalHead(head[at] ?? "")));
  const address = sample.findIndex((cell, at) => free(at) && /^\S+@\S+\.\S+$/.test(cell));
  if (!used.has("email") && address >= 0) columns[address] = "email";
  // "Nom" or "Nombre" alone is the full name.
  if (!used.has("name") && used.has("firstName") !== used.has("lastName"))
    return columns.map((field) => (field === "firstName" || field === "lastName" ? "name" : field));
  return columns;
}

/**
 * Required fields that have no column yet. `hasPinLogin`: people of the company need no email address, but then they
 * need a personnel number.
 */
export function unmappedFields(
  about: ImportAbout,
  mapping: (ImportColumn | null)[],
  hasPinLogin: boolean,
): ImportField[] {
  const has = (field: ImportField) => mapping.includes(field);
  const missing: ImportField[] = [];
  const isNumbered = (hasPinLogin || about === "completions") && has("externalId");
  if (!has("email") && !isNumbered) missing.push("email");
  if (about === "completions") return [...missing, ...(["course", "completedOn"] as const).filter((one) => !has(one))];
  if (!has("name") && !(has("firstName") || has("lastName"))) missing.push("name");
  return missing;
}
