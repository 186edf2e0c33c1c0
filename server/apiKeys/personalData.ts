import {
  contract,
  ownedBy,
  type PersonalData,
  SAME_PERSON,
  SECRET,
  untilErased,
} from "#server/core/domains/personalData.ts";

export const personalData: PersonalData = {
  entries: [
    {
      key: "apiKeys",
      table: "api_keys",
      what: "API keys you created",
      fate: "delete",
      why: "They act for your account",
      where: ownedBy("created_by"),
    },
  ],
  sections: [
    {
      key: "apiKeys",
      purpose: "Access of other systems",
      basis: contract,
      retention: untilErased,
      table: "api_keys",
      omit: { created_by: SAME_PERSON, key_hash: SECRET },
      keys: ["id"],
      where: ownedBy("created_by"),
    },
  ],
};
