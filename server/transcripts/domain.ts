import { defineDomain } from "#server/core/domains/domain.ts";
import { rows } from "#server/core/domains/tables.ts";
import { personalData } from "#server/transcripts/personalData.ts";
import { transcriptRoutes } from "#server/transcripts/routes.ts";

export const transcripts = defineDomain({
  name: "transcripts",
  uses: ["certificates", "completions", "courses", "requirements", "settings"],
  routes: [transcriptRoutes],
  openTo: {
    guests: ["transcripts.open"],
    learners: [
      "transcripts.list",
      "transcripts.issue",
      "transcripts.get",
      "transcripts.pdf",
      "transcripts.file",
      "transcripts.share",
      "transcripts.unshare",
      "transcripts.remove",
      "transcripts.open",
    ],
  },
  personalData,
  tables: {
    transcripts: {
      growth: rows(1, "learner"),
      kept: "until the person deletes them or is erased",
      notPersonal: { "which rows an entry came from": "sources" },
    },
  },
});
