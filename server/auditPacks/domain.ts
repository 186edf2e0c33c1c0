import { makePacks } from "#server/auditPacks/jobs.ts";
import { personalData } from "#server/auditPacks/personalData.ts";
import { auditPackRoutes } from "#server/auditPacks/routes.ts";
import { defineDomain } from "#server/core/domains/domain.ts";
import { rows, untilRemoved } from "#server/core/domains/tables.ts";

export const auditPacks = defineDomain({
  name: "auditPacks",
  uses: ["certificates", "requirements"],
  routes: [auditPackRoutes],
  openTo: {
    guests: ["auditPacks.open", "auditPacks.draw", "auditPacks.sample", "auditPacks.person", "auditPacks.download"],
  },
  jobs: [makePacks],
  personalData,
  tables: {
    audit_packs: {
      growth: rows(4, "company"),
      kept: untilRemoved,
      authors: { requested_by: "Audit packs you requested" },
      notPersonal: {
        "what is in a pack, and the sums of its files": "number course_ids zone state files checked_files counts",
      },
    },
    audit_links: {
      growth: rows(4, "company"),
      kept: untilRemoved,
      authors: { created_by: "Links you gave auditors" },
      notPersonal: { "the name of an auditor or their firm, a random seed": "label seed" },
    },
    audit_samples: {
      growth: rows(10, "company"),
      kept: untilRemoved,
      notPersonal: { "what was asked for, and the enrolments that were drawn": "state keys" },
    },
    audit_openings: { growth: rows(100, "company"), kept: untilRemoved, notPersonal: { "what was opened": "what" } },
  },
});
