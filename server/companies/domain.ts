import { defineDomain } from "#server/core/domains/domain.ts";
import { forGood, rows } from "#server/core/domains/tables.ts";
import { companyRoutes } from "#server/companies/routes.ts";
import { personalData } from "#server/companies/personalData.ts";

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
    company_privacy_history: {
      growth: rows(1, "company"),
      kept: forGood,
      notPersonal: { "what the company does with results": "erasure_policy" },
    },
  },
  personalData,
});
