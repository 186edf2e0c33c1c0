import { defineDomain } from "#server/core/domains/domain.ts";
import { rows } from "#server/core/domains/tables.ts";

export const statements = defineDomain({
  name: "statements",
  tables: {
    statement_clients: { growth: rows(1, "company"), kept: "as long as the company" },
    statement_agents: { growth: rows(1500, "learner"), kept: "as long as the company" },
    statement_activities: { growth: rows(1000, "learner"), kept: "as long as the company" },
    statement_references: { growth: rows(1, "learner"), kept: "as long as the company" },
    statement_files: { growth: rows(1, "learner"), kept: "as long as the company" },
    statement_attachments: { growth: rows(1, "learner"), kept: "as long as the company" },
    activity_definitions: { growth: rows(50, "course"), kept: "as long as the company" },
    statement_documents: { growth: rows(10, "learner"), kept: "as long as the company" },
    statements: { growth: rows(500, "learner"), kept: "as long as the company" },
  },
});
