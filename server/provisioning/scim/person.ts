import { readFieldText } from "#shared/fields/readFieldText.ts";
import type { Definition } from "#server/fields/values.ts";
import type { FieldValue } from "#shared/fields/fields.ts";
import { personnelNumber } from "#shared/auth/pins.ts";
import { isUuid } from "#shared/core/uuid.ts";
import { email as emailAddress, personName } from "#shared/core/users.ts";
import { mappable } from "#shared/provisioning/provisioning.ts";
import type { Scim } from "#server/provisioning/scim/context.ts";
import { type Entry, heldIn, type Resource, setHeld } from "#server/provisioning/scim/resource.ts";
import { invalidValue, quote } from "#server/provisioning/scim/scimError.ts";
import { splitMapped } from "#server/provisioning/scim/userResource.ts";
import { fieldOf } from "#server/provisioning/scim/userRows.ts";
import { ENTERPRISE, FIELDS } from "#shared/provisioning/schemas.ts";

/** What Lyceum stores about a person of a directory. */
export type Person = {
  userName: string;
  externalId: string | null;
  name: string;
  email: string | null;
  isActive: boolean;
  number: string | null;
  managerId: string | null;
  fields: Record<string, FieldValue | null>;
  /** All other attributes, as they were sent. */
  attributes: Resource;
};

const MAX_ATTRIBUTES_BYTES = 16 * 1024;
/** More would not fit into an index of the database. */
export const MAX_EXTERNAL_ID = 400;
export const tooLongExternalId = () => invalidValue(`“externalId” must have at most ${MAX_EXTERNAL_ID} characters.`);

/** `before`: what the directory said last. `seen`: the person, unless it is a new one. */
export function readPerson(
  scim: Scim,
  said: Resource,
  before: Resource,
  seen: { id: string; email: string | null } | null,
): Person {
  const { userName, externalId } = said;
  if (typeof userName !== "string") throw invalidValue("“userName” is missing.");
  if (userName.length > 254) throw invalidValue("“userName” must have at most 254 characters.");
  if (String(externalId ?? "").length > MAX_EXTERNAL_ID) throw tooLongExternalId();
  const at = chosenEmail(said.emails as Entry[] | undefined);
  const email = emailOf(said, !seen?.email);
  return {
    userName,
    externalId: typeof externalId === "string" ? externalId : null,
    name: nameOf(said),
    email,
    isActive: said.active !== false,
    number: numberOf(said),
    managerId: managerOf(said, seen?.id ?? null),
    fields: fieldsOf(scim, said, before),
    attributes: attributesOf(scim, said, at),
  };
}

/** The primary address, otherwise that for work, otherwise the first. */
function chosenEmail(emails: Entry[] = []) {
  const usable = (entry: Entry) => typeof entry.value === "string";
  for (const isWanted of [
    (entry: Entry) => entry.primary === true,
    (entry: Entry) => String(entry.type).toLowerCase() === "work",
    () => true,
  ]) {
    const at = emails.findIndex((entry) => usable(entry) && isWanted(entry));
    if (at >= 0) return at;
  }
  return -1;
}

/** Without `emails`, the user name if it is an address and the person has none. */
function emailOf({ userName, emails }: Resource, isNameUsed: boolean): string | null {
  const at = chosenEmail(emails as Entry[] | undefined);
  if (at < 0 && !isNameUsed) return null;
  const address = at >= 0 ? (emails as Entry[])[at]?.value : userName;
  const parsed = emailAddress.safeParse(address);
  if (parsed.success) return parsed.data;
  if (at >= 0) throw invalidValue("The address in “emails” is not valid.");
  return null;
}

/** The address in what the directory said last; null if it has become invalid, because others may have changed it. */
export function earlierEmailOf(before: Resource, isNameUsed: boolean): string | null {
  try {
    return emailOf(before, isNameUsed);
  } catch {
    return null;
  }
}

const MAX_NAME = 120;

/** A longer one is cut off. */
export function nameOf({ displayName, name, userName }: Resource): string {
  const { formatted, givenName, familyName } = (name ?? {}) as Record<string, string | undefined>;
  const parts = [givenName, familyName].filter(Boolean).join(" ");
  const parsed = personName.safeParse(String(displayName ?? formatted ?? (parts || userName)).slice(0, MAX_NAME));
  if (!parsed.success) throw invalidValue("The name of a person must have at most 120 characters.");
  return parsed.data;
}

function numberOf(said: Resource): string | null {
  const held = heldIn(said, ENTERPRISE, "employeeNumber");
  if (held === undefined) return null;
  const parsed = personnelNumber.safeParse(held);
  if (!parsed.success) throw invalidValue("“employeeNumber” must have at most 64 characters.");
  return parsed.data;
}

/** Directories give the head of a company themselves as manager: such a person has no manager. */
export function managerOf(said: Resource, person: string | null): string | null {
  const held = heldIn(said, ENTERPRISE, "manager") as Entry | undefined;
  if (held?.value === undefined) return null;
  const id = String(held.value).toLowerCase();
  if (!isUuid(id)) throw invalidValue("“manager” must be the id of a user.");
  return id === person ? null : id;
}

/**
 * Values of the company's fields that the directory changes: of mapped attributes, and of those under the URN of the
 * fields. Unchanged values are not read, because they may be values that a directory could not send.
 */
function fieldsOf({ fields, mapping, unmapped }: Scim, said: Resource, before: Resource): Person["fields"] {
  const values: Person["fields"] = {};
  const read = (field: Definition, urn: string | null, name: string) => {
    const text = heldIn(said, urn, name);
    if (text === heldIn(before, urn, name)) return;
    values[field.id] = typeof text === "string" ? valueOf(field, name, text) : null;
  };
  for (const field of unmapped) read(field, FIELDS, field.key);
  for (const path of mappable) {
    const field = fieldOf(fields, mapping, null, path);
    const { urn, name } = splitMapped(path);
    if (field) read(field, urn, name);
  }
  return values;
}

function valueOf(field: Definition, name: string, text: string): FieldValue {
  // Directories write numbers as programs do.
  if (field.kind === "number" && /^-?\d{1,15}(\.\d{1,10})?$/.test(text)) return Number(text);
  const value = readFieldText(field, text);
  if ("value" in value) return value.value;
  throw unfitValue(name, value.fault);
}
const faults = {
  tooLong: "it is too long",
  unknownChoice: "it is not one of the choices",
  notADate: "it is not a date",
  unclearDate: "it could be two dates",
  notANumber: "it is not a number",
  unclearNumber: "it could be two numbers",
} as const;
export const unfitValue = (name: string, fault: keyof typeof faults) =>
  invalidValue(`The value of ${quote(name)} does not fit its field in Lyceum: ${faults[fault]}.`);

/** Attributes that are stored nowhere else. Of the address of the account only its type. */
function attributesOf({ fields, mapping }: Scim, said: Resource, at: number): Resource {
  const { userName: _u, externalId: _e, active: _a, [FIELDS]: _f, ...rest } = structuredClone(said);
  setHeld(rest, ENTERPRISE, "employeeNumber", null);
  setHeld(rest, ENTERPRISE, "manager", null);
  for (const path of mappable) {
    const { urn, name } = splitMapped(path);
    if (fieldOf(fields, mapping, null, path)) setHeld(rest, urn, name, null);
  }
  if (Array.isArray(rest.emails))
    rest.emails = rest.emails.map(({ value, ...entry }, index): Entry => {
      if (index === at) return { own: true, ...entry };
      return value === undefined ? entry : { value, ...entry };
    });
  if (JSON.stringify(rest).length > MAX_ATTRIBUTES_BYTES)
    throw invalidValue("The attributes of a person must have at most 16 KB.");
  return rest;
}
