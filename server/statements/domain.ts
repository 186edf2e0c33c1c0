import { defineDomain } from "#server/core/domains/domain.ts";
import { rows, withAccount } from "#server/core/domains/tables.ts";
import { erasePerson } from "#server/statements/erasure.ts";
import { personalData } from "#server/statements/personalData.ts";
import { statementRoutes } from "#server/statements/routes.ts";

const kept = "as long as the company; without the person after an erasure";
const withStatement = "as long as their statement";
const HASHES = "hashes of identifiers";

export const statements = defineDomain({
  name: "statements",
  routes: [statementRoutes],
  tables: {
    statement_clients: {
      growth: rows(1, "company"),
      kept: "as long as the company",
      authors: { created_by: "Keys of the record store you created" },
      notPersonal: { "a name of a system, and secrets": "name user_name secret_hash scopes" },
    },
    statements: {
      growth: rows(500, "learner"),
      kept,
      notPersonal: {
        "what was done, as an IRI": "verb activity",
        "people in it are replaced first (erasure.ts)": "statement",
      },
    },
    statement_agents: { growth: rows(1500, "learner"), kept: withStatement },
    statement_activities: { growth: rows(1000, "learner"), kept: withStatement },
    statement_references: { growth: rows(1, "learner"), kept: withStatement },
    statement_files: {
      growth: rows(1, "learner"),
      kept: "as long as a statement has them as attachment",
      notPersonal: { "deleted with the attachments of erased people": "hash bytes" },
    },
    statement_attachments: { growth: rows(1, "learner"), kept: withStatement, notPersonal: { [HASHES]: "hash" } },
    activity_definitions: {
      growth: rows(50, "course"),
      kept: "as long as the company",
      notPersonal: { "names of activities": "activity definition" },
    },
    statement_documents: { growth: rows(10, "learner"), kept: withAccount },
  },
  personalData,
  erasure: { within: erasePerson },
});
