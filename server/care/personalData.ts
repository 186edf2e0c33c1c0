import { ownedBy, type PersonalData, SAME_PERSON } from "#server/core/domains/personalData.ts";

export const personalData: PersonalData = {
  entries: [
    {
      key: "care",
      table: "care_people",
      what: "That you are told about calls for help",
      fate: "delete",
      why: "It ends with your account",
      where: ownedBy("user_id"),
    },
  ],
  sections: [
    {
      key: "care",
      purpose: "Help for people who write about self-harm, violence or harassment",
      basis: "Legitimate interest (GDPR Art. 6(1)(f))",
      retention: "Until you are no longer named",
      table: "care_people",
      omit: { user_id: SAME_PERSON },
      keys: ["settings_id"],
      where: ownedBy("user_id"),
    },
  ],
};
