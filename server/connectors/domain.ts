import { defineDomain } from "#server/core/domains/domain.ts";
import { contract, COUNTER, nullValue, ownedBy, SAME_PERSON } from "#server/core/domains/personalData.ts";
import { rows, untilRemoved } from "#server/core/domains/tables.ts";
import { sweepLostCalls } from "#server/connectors/jobs.ts";
import { connectorRoutes } from "#server/connectors/routes.ts";

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
        "the provider": "name kind base_url api_key key_hint models fallbacks cheaper_model status",
        "companies that may use it": "company_ids",
        "how tests and calls ended": "last_error_code last_test",
      },
    },
  },
  personalData: {
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
  },
});
