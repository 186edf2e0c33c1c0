import { defineDomain } from "#server/core/domains/domain.ts";
import { rows, withAccount } from "#server/core/domains/tables.ts";
import { deleteOldImports, processImports } from "#server/imports/jobs.ts";
import { personalData } from "#server/imports/personalData.ts";
import { importRoutes } from "#server/imports/routes.ts";

const aMonth = "30 days";

export const imports = defineDomain({
  name: "imports",
  uses: ["completions", "courses", "enrolmentRules", "fields", "learners", "managers"],
  routes: [importRoutes],
  jobs: [processImports, deleteOldImports],
  personalData,
  tables: {
    people_imports: {
      growth: rows(12, "company"),
      kept: aMonth,
      authors: {
        created_by: "Files of people you uploaded",
        ordered_by: "Files of people you imported, or whose import you undid",
      },
      notPersonal: {
        "the file and its columns": "file_name state code format delimiter encoding head mapping existing about dates",
      },
    },
    people_import_rows: { growth: rows(12, "learner"), kept: aMonth },
    people_import_leavers: { growth: rows(1, "learner"), kept: aMonth },
    people_import_mappings: {
      growth: rows(1, "company"),
      kept: "as long as the company",
      notPersonal: { "names of columns": "fields" },
    },
    personnel_numbers: { growth: rows(1, "learner"), kept: withAccount },
  },
});
