import { defineDomain } from "#server/core/domains/domain.ts";
import { rows, untilRemoved } from "#server/core/domains/tables.ts";
import { sweepLostCalls } from "#server/connectors/jobs.ts";
import { connectorRoutes } from "#server/connectors/routes.ts";
import { personalData } from "#server/connectors/personalData.ts";

export const connectors = defineDomain({
  name: "connectors",
  routes: [connectorRoutes],
  jobs: [sweepLostCalls],
  tables: {
    ai_budgets: {
      growth: rows(1, "company"),
      kept: "as long as the company",
      notPersonal: { "what the budget is for": "kind" },
    },
    ai_settings: {
      growth: rows(1, "installation"),
      kept: "for good",
      notPersonal: { "the academy": "currency limit_text" },
    },
    ai_usage: {
      growth: rows(60, "learner"),
      kept: "for good: what calls have cost, without their text",
      notPersonal: {
        "what was called and how it ended, without its text": "purpose model status code passage_ids budget_ids",
        "a random id of a browser": "visitor_id",
      },
    },
    connectors: {
      growth: rows(5, "installation"),
      kept: untilRemoved,
      authors: { updated_by: "Connections you last changed" },
      notPersonal: {
        "the provider": "name kind base_url api_key key_hint models fallbacks cheaper_model status vector_sizes",
        "companies that may use it": "company_ids",
        "how tests and calls ended": "last_error_code last_test",
      },
    },
  },
  personalData,
});
