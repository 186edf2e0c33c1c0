import {
  contract,
  deleted,
  ONLY_FOR_ACCOUNT,
  ownedBy,
  type PersonalData,
  SAME_PERSON,
  untilErased,
} from "#server/core/domains/personalData.ts";
import { sql } from "kysely";

const purpose = "Access that follows the directory of your company";
const OTHER = "another person, or a system";

export const personalData: PersonalData = {
  entries: [
    deleted(
      "provisionedPeople",
      "provisioned_people",
      "What the directory of your company says about you",
      ownedBy("user_id"),
    ),
    deleted("provisioningHolds", "provisioning_holds", "Suspensions that wait for an admin", ownedBy("user_id")),
    {
      key: "provisioningCalls",
      table: "provisioning_calls",
      what: "Calls of the directory of your company about you",
      fate: "anonymise",
      why: ONLY_FOR_ACCOUNT,
      where: ownedBy("person_id"),
      set: { person_id: sql`null` },
    },
  ],
  sections: [
    {
      key: "provisionedPeople",
      purpose,
      basis: contract,
      retention: untilErased,
      table: "provisioned_people",
      omit: { user_id: SAME_PERSON },
      keys: ["user_id"],
      where: ownedBy("user_id"),
    },
    {
      key: "provisioningHolds",
      purpose,
      basis: contract,
      retention: "Until an admin decides",
      table: "provisioning_holds",
      omit: { user_id: SAME_PERSON, key_id: OTHER, refused_by: OTHER },
      keys: ["user_id"],
      where: ownedBy("user_id"),
    },
    {
      key: "provisioningCalls",
      purpose,
      basis: contract,
      retention: "30 days",
      table: "provisioning_calls",
      omit: { person_id: SAME_PERSON, key_id: OTHER },
      keys: ["id"],
      where: ownedBy("person_id"),
    },
  ],
};
