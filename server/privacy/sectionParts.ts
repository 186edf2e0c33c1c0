import { sql } from "kysely";
import type { Person } from "#server/privacy/registryEntry.ts";
import { SHORT_LIVED_DAYS } from "#shared/audit/audit.ts";

// What sections of the export have in common: reasons to leave a column out, legal bases, and periods

export const SECRET = "a secret, or derived from one";
export const SAME_PERSON = "the person of the export";
export const OTHER_PERSON = "another person";
export const COUNTER = "a counter for concurrent changes";
export const contract = "Contract (GDPR Art. 6(1)(b))";
export const interest = "Legitimate interest (GDPR Art. 6(1)(f))";
export const training = "Contract, or the employer's interest in training (GDPR Art. 6(1)(b), (f))";
export const untilErased = "Until the data is deleted";
export const shortLived = `${untilErased}; logins and login attempts for ${SHORT_LIVED_DAYS} days`;
export const ownedBy =
  (column: string) =>
  ({ id }: Person) =>
    sql<boolean>`${sql.ref(column)} = ${id}`;
