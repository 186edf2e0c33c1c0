import { defineDomain } from "#server/core/domains/domain.ts";
import { rows, withAccount } from "#server/core/domains/tables.ts";
import { forgetProvisioning } from "#server/provisioning/jobs.ts";
import { personalData } from "#server/provisioning/personalData.ts";
import { provisioningRoutes } from "#server/provisioning/routes.ts";

export const provisioning = defineDomain({
  name: "provisioning",
  uses: ["courses", "enrolmentRules", "fields", "groups", "learners", "managers"],
  routes: [provisioningRoutes],
  jobs: [forgetProvisioning],
  tables: {
    provisioning_keys: {
      growth: rows(1, "company"),
      kept: "as long as the company",
      authors: { created_by: "Keys of directories you created" },
      notPersonal: { "a name of a system, and secrets": "name prefix key_hash" },
    },
    provisioning_settings: {
      growth: rows(1, "company"),
      kept: "as long as the company",
      authors: { updated_by: "How directories maintain people: companies you last changed" },
      notPersonal: { "attributes and fields": "removal mapping" },
    },
    provisioned_people: { growth: rows(1, "learner"), kept: withAccount },
    provisioning_holds: {
      growth: rows(0.1, "learner"),
      kept: "until an admin decides; a refusal for a day",
      authors: { refused_by: "Suspensions by directories you refused" },
    },
    provisioning_calls: {
      growth: rows(5000, "company"),
      kept: "30 days, and the last 5,000 of a company",
      notPersonal: { "what was asked, and what became of it, without values": "method resource result" },
    },
  },
  personalData,
});
