import {
  contract,
  COUNTER,
  nullValue,
  ownedBy,
  type PersonalData,
  SAME_PERSON,
} from "#server/core/domains/personalData.ts";

export const personalData: PersonalData = {
  entries: [
    {
      key: "aiUsage",
      table: "ai_usage",
      what: "Calls of language models that you caused",
      fate: "anonymise",
      why: "Kept without your name for the accounts of the company or academy; the calls hold no text",
      where: ownedBy("user_id"),
      set: { user_id: nullValue },
    },
  ],
  sections: [
    {
      key: "aiUsage",
      purpose: "Costs and limits of language models",
      basis: contract,
      retention: "Kept without your name after erasure",
      table: "ai_usage",
      omit: { user_id: SAME_PERSON, budget_ids: COUNTER, reserved_micros: COUNTER, expires_at: COUNTER },
      keys: ["id"],
      where: ownedBy("user_id"),
    },
  ],
};
