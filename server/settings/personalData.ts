import { addressedTo, emptyText, type PersonalData } from "#server/core/domains/personalData.ts";

export const personalData: PersonalData = {
  entries: [
    {
      key: "support",
      table: "settings",
      what: "Your address as public contact of the academy",
      fate: "delete",
      why: "Only your contact details are removed",
      where: (person) => addressedTo("support_email", person),
      set: { support_email: emptyText },
    },
  ],
};
