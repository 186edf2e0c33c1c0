import { interest, nullValue, ownedBy, type PersonalData, untilErased } from "#server/core/domains/personalData.ts";

export const personalData: PersonalData = {
  entries: [
    {
      key: "auditOpenings",
      table: "audit_openings",
      what: "That an auditor opened your records",
      fate: "anonymise",
      why: "Companies must be able to show what auditors have opened; you are taken out of it",
      where: ownedBy("person_id"),
      set: { person_id: nullValue },
    },
  ],
  sections: [
    {
      key: "auditOpenings",
      purpose: "Showing who has seen your records",
      basis: interest,
      retention: untilErased,
      table: "audit_openings",
      omit: { person_id: "the person of the export", link_id: "a link of the company" },
      keys: ["id"],
      where: ownedBy("person_id"),
    },
  ],
};
