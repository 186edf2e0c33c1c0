import { defineDomain } from "#server/core/domains/domain.ts";
import { forGood, rows, withAccount } from "#server/core/domains/tables.ts";
import { personalData } from "#server/measures/personalData.ts";
import { measureRoutes } from "#server/measures/routes.ts";

export const measures = defineDomain({
  name: "measures",
  routes: [measureRoutes],
  openTo: { learners: ["measures.mine", "measures.markSeen"] },
  personalData,
  tables: {
    company_measures: {
      growth: rows(1, "company"),
      kept: forGood,
      authors: { changed_by: "Versions of what a company measures that you saved" },
      notPersonal: {
        "who sees a kind of data": "replay active_time last_activity conversations scores",
        "why the company chose so": "reason",
      },
    },
    measures_seen: { growth: rows(1, "learner"), kept: withAccount },
  },
});
