import { defineDomain } from "#server/core/domains/domain.ts";
import { addressedTo, emptyText, interest, untilErased } from "#server/core/domains/personalData.ts";
import { madeInHistory } from "#server/core/domains/history.ts";
import { forGood, rows } from "#server/core/domains/tables.ts";
import { companyRoutes } from "#server/companies/routes.ts";

export const companies = defineDomain({
  name: "companies",
  uses: ["courses", "recordings"],
  routes: [companyRoutes],
  openTo: { learners: ["companies.brand"] },
  tables: {
    companies: {
      growth: rows(1, "company"),
      kept: "for good: companies are archived",
      authors: { updated_by: "Companies you last changed" },
      notPersonal: {
        "the company": "name slug logo logo_type color welcome timezone allowed_domains",
        "access codes of the company": "access_code previous_code",
        "notes of admins about the company": "notes",
      },
    },
    company_history: {
      growth: rows(3, "company"),
      kept: forGood,
      notPersonal: { "the company, and the endpoint that changed it": "timezone reason" },
    },
  },
  personalData: {
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
  },
});
