import { defineDomain } from "#server/core/domains/domain.ts";
import { rows } from "#server/core/domains/tables.ts";
import { deleteOldRecordings } from "#server/recordings/jobs.ts";
import { recordingRoutes } from "#server/recordings/routes.ts";
import { personalData } from "#server/recordings/personalData.ts";

const kept = "for the days that the company has set, or until the consent is withdrawn";

export const recordings = defineDomain({
  name: "recordings",
  uses: ["courses"],
  routes: [recordingRoutes],
  jobs: [deleteOldRecordings],
  openTo: { learners: ["recordings.state"] },
  tables: {
    recordings: { growth: rows(30, "learner"), kept },
    recording_chunks: { growth: rows(600, "learner"), kept },
  },
  personalData,
});
