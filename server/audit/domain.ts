import { defineDomain } from "#server/core/domains/domain.ts";
import { rows } from "#server/core/domains/tables.ts";
import { purgeExpiredLogins } from "#server/audit/jobs.ts";
import { personalData } from "#server/audit/personalData.ts";
import { auditRoutes } from "#server/audit/routes.ts";
import { SHORT_LIVED_DAYS } from "#shared/audit/audit.ts";

export const audit = defineDomain({
  name: "audit",
  routes: [auditRoutes],
  jobs: [purgeExpiredLogins],
  openTo: { learners: ["audit.mine"] },
  personalData,
  tables: {
    audit_entries: {
      growth: rows(60, "learner"),
      kept: `logins and failed logins ${SHORT_LIVED_DAYS} days, everything else for good`,
      notPersonal: { "role, counts, field names and states": "actor_role details" },
    },
  },
});
