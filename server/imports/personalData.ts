import { sql } from "kysely";
import {
  contract,
  deleted,
  interest,
  ownedBy,
  type Person,
  type PersonalData,
  SAME_PERSON,
  SECRET,
  untilErased,
} from "#server/core/domains/personalData.ts";

/** Rows about a person: those matched to the account, and others with its email or, in its company, its number. */
const isAbout = ({ id, email }: Person) =>
  sql<boolean>`(
    people_import_rows.user_id = ${id}
    or people_import_rows.email_key = ${email?.toLowerCase() ?? null}::text
    or (people_import_rows.import_id, people_import_rows.number_key) in (
      select people_imports.id, lower(personnel_numbers.number)
      from personnel_numbers
      join people_imports on people_imports.company_id = personnel_numbers.company_id
      where personnel_numbers.user_id = ${id}
    )
  )`;
const aMonth = "30 days";

export const personalData: PersonalData = {
  entries: [
    deleted("importRows", "people_import_rows", "What files of your company said about you", isAbout),
    deleted(
      "leavers",
      "people_import_leavers",
      "That you were missing from a file of your company",
      ownedBy("user_id"),
    ),
    deleted("personnelNumber", "personnel_numbers", "Your personnel number", ownedBy("user_id")),
  ],
  sections: [
    {
      key: "importRows",
      purpose: "Keeping the accounts of a company up to date",
      basis: interest,
      retention: aMonth,
      table: "people_import_rows",
      omit: { user_id: SAME_PERSON, before: SECRET },
      keys: ["import_id", "number"],
      where: isAbout,
    },
    {
      key: "leavers",
      purpose: "Suspending people who have left their company",
      basis: interest,
      retention: aMonth,
      table: "people_import_leavers",
      omit: { user_id: SAME_PERSON, before: SECRET },
      keys: ["import_id"],
      where: ownedBy("user_id"),
    },
    {
      key: "personnelNumber",
      purpose: "Recognising you in files of your company",
      basis: contract,
      retention: untilErased,
      table: "personnel_numbers",
      omit: { user_id: SAME_PERSON },
      keys: ["user_id"],
      where: ownedBy("user_id"),
    },
  ],
};
