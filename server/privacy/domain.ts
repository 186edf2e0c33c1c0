import { defineDomain } from "#server/core/domains/domain.ts";
import { rows } from "#server/core/domains/tables.ts";
import { purgeExpiredRecords } from "#server/privacy/jobs.ts";
import { privacyRoutes } from "#server/privacy/routes.ts";

export const privacy = defineDomain({
  name: "privacy",
  uses: ["courses"],
  routes: [privacyRoutes],
  jobs: [purgeExpiredRecords],
  openTo: { learners: ["privacy.preview", "privacy.export"] },
  tables: {
    erasures: {
      growth: rows(0.1, "learner"),
      kept: "for good: proof of the erasure",
      notPersonal: { "a keyed hash, counts and random ids": "subject_hash receipt" },
    },
    retained_training_records: {
      growth: rows(0.1, "learner"),
      kept: "as many years as the company must prove training",
      notPersonal: { "result and legal basis under a random number": "course success basis" },
    },
  },
});
