import { defineDomain } from "#server/core/domains/domain.ts";
import { rows, untilRemoved } from "#server/core/domains/tables.ts";
import { sweepFiles } from "#server/files/jobs.ts";
import { personalData } from "#server/files/personalData.ts";

export const files = defineDomain({
  name: "files",
  jobs: [sweepFiles],
  tables: {
    files: {
      growth: rows(20, "course"),
      kept: untilRemoved,
      authors: { owner_id: "Course files, documents and images you uploaded" },
    },
    upload_sessions: { growth: rows(10, "course"), kept: "7 days after the last byte" },
  },
  personalData,
});
