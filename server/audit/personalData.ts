import { sql } from "kysely";
import {
  deleted,
  interest,
  nullValue,
  OTHER_PERSON,
  ownedBy,
  type PersonalData,
  SAME_PERSON,
  untilErased,
} from "#server/core/domains/personalData.ts";
import { SHORT_LIVED_DAYS } from "#shared/audit/audit.ts";

/** Entries that concern only the person: their actions on their own account, and attempts of others to access it. */
const isOwnEntry = (id: string) =>
  sql<boolean>`(person_id is not distinct from ${id}
    and (actor_id is not distinct from ${id} or action like 'account.%'))`;
const retention = `${untilErased}; logins and login attempts for ${SHORT_LIVED_DAYS} days`;
const why = "The audit log stays complete; your name is removed";

export const personalData: PersonalData = {
  entries: [
    deleted(
      "audit.own",
      "audit_entries",
      "Log of your logins, exports and account changes",
      ({ id }) => sql`person_id = ${id} and ${isOwnEntry(id)}`,
    ),
    {
      key: "audit.person",
      table: "audit_entries",
      what: "Log of who viewed or changed your records",
      fate: "anonymise",
      why,
      where: ({ id }) => sql`person_id = ${id} and not ${isOwnEntry(id)}`,
      set: { person_id: nullValue },
    },
    {
      key: "audit.actor",
      table: "audit_entries",
      what: "Log of your actions as an admin",
      fate: "anonymise",
      why,
      where: ({ id }) => sql`actor_id = ${id} and not ${isOwnEntry(id)}`,
      set: { actor_id: nullValue },
    },
  ],
  sections: [
    {
      key: "actionsAboutMe",
      purpose: "Showing who viewed or changed these records, or tried to log in",
      basis: interest,
      retention,
      table: "audit_entries",
      omit: { actor_id: OTHER_PERSON, person_id: SAME_PERSON },
      keys: ["id"],
      where: ({ id }) => sql`person_id = ${id} and actor_id is distinct from ${id}`,
    },
    {
      key: "myActions",
      purpose: "Detecting misuse of the account; accountability of admins",
      basis: interest,
      retention,
      table: "audit_entries",
      omit: { actor_id: SAME_PERSON, person_id: OTHER_PERSON },
      keys: ["id"],
      where: ownedBy("actor_id"),
    },
  ],
};
