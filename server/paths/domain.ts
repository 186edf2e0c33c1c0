import { defineDomain } from "#server/core/domains/domain.ts";
import { rows, withAccount } from "#server/core/domains/tables.ts";
import { checkPaths, followPaths, requestFollow } from "#server/paths/follow.ts";
import { personalData } from "#server/paths/personalData.ts";
import { pathRoutes } from "#server/paths/routes.ts";

export const paths = defineDomain({
  name: "paths",
  uses: ["certificates", "courses"],
  routes: [pathRoutes],
  jobs: [followPaths, checkPaths],
  openTo: { learners: ["paths.mine", "paths.mineOne"] },
  // Triggers have queued the changes; the job is ordered here, because commits do not order it.
  completions: {
    async after(_, tx) {
      await requestFollow(tx);
    },
    async withdrawn(tx) {
      await requestFollow(tx);
    },
  },
  personalData,
  tables: {
    paths: {
      growth: rows(5, "installation"),
      kept: "for good: paths are archived",
      authors: { updated_by: "Learning paths you last changed" },
      notPersonal: { "the path": "title description draft" },
    },
    path_versions: {
      growth: rows(20, "installation"),
      kept: "as long as the path",
      authors: { published_by: "Versions of learning paths you published" },
      notPersonal: { "the steps": "steps" },
    },
    path_enrolments: {
      growth: rows(1, "learner"),
      kept: withAccount,
      authors: { made_by: "People you put on learning paths" },
    },
    path_steps: { growth: rows(5, "learner"), kept: "as long as the person is on the path" },
    path_changes: {
      growth: rows(20, "learner"),
      kept: "until a job has followed it, within seconds; after failures within hours",
    },
  },
});
