import { defineDomain } from "#server/core/domains/domain.ts";
import { rows, withAccount } from "#server/core/domains/tables.ts";
import { reportRoutes } from "#server/reports/routes.ts";
import { sendDigests } from "#server/reports/digests/digests.ts";
import { sendViewMails } from "#server/reports/views/mails.ts";
import { personalData } from "#server/reports/personalData.ts";

export const reports = defineDomain({
  name: "reports",
  routes: [reportRoutes],
  jobs: [sendViewMails, sendDigests],
  openTo: {
    learners: [
      "reports.learner",
      "reports.figures",
      "reports.rows",
      "reports.changes",
      "reports.export",
      "reports.issue",
      "reports.pdf",
      "reports.answers",
      "reports.session",
    ],
  },
  tables: {
    issued_reports: {
      growth: rows(0.2, "learner"),
      kept: "for good: a report can be checked by its number",
      authors: { issued_by: "Reports you issued" },
      notPersonal: { "what was counted, and counts": "filters figures digest" },
    },
    saved_views: { growth: rows(10, "admin"), kept: withAccount },
    view_mails: { growth: rows(3, "admin"), kept: withAccount },
  },
  personalData,
});
