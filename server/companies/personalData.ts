import { addressedTo, emptyText, interest, type PersonalData, untilErased } from "#server/core/domains/personalData.ts";
import { madeInHistory } from "#server/core/domains/history.ts";

export const personalData: PersonalData = {
  entries: [
    {
      key: "contacts",
      table: "companies",
      what: "Your details as contact person of a company",
      fate: "delete",
      why: "Only your contact details are removed",
      where: (person) => addressedTo("contact_email", person),
      set: { contact_email: emptyText, contact_name: emptyText },
    },
    madeInHistory("company_history", "Changes of companies that you made"),
    madeInHistory("company_privacy_history", "Settings about recordings and records that you changed"),
  ],
  sections: [
    {
      key: "contacts",
      purpose: "Contact person of a company",
      basis: interest,
      retention: untilErased,
      table: "companies",
      only: ["name", "contact_name", "contact_email"],
      keys: ["id"],
      where: (person) => addressedTo("contact_email", person),
    },
  ],
};
