import { contract, ownedBy, type PersonalData, SAME_PERSON, untilErased } from "#server/core/domains/personalData.ts";

export const personalData: PersonalData = {
  entries: [
    {
      key: "buttonRuns",
      table: "button_runs",
      what: "When you used buttons that ask a language model",
      fate: "delete",
      why: "Only needed for your limits",
      where: ownedBy("user_id"),
    },
  ],
  sections: [
    {
      key: "buttonRuns",
      purpose: "Limits of buttons that ask a language model",
      basis: contract,
      retention: untilErased,
      table: "button_runs",
      omit: { user_id: SAME_PERSON },
      keys: ["id"],
      where: ownedBy("user_id"),
    },
  ],
};
