import { defineDomain } from "#server/core/domains/domain.ts";
import { rows, untilRemoved, withAccount } from "#server/core/domains/tables.ts";
import { promptRoutes } from "#server/prompts/routes.ts";
import { personalData } from "#server/prompts/personalData.ts";

const withPrompt = "as long as the prompt";

export const prompts = defineDomain({
  name: "prompts",
  uses: ["connectors", "variables"],
  routes: [promptRoutes],
  openTo: { learners: ["buttonPrompts.offered", "buttonPrompts.run"] },
  tables: {
    prompts: {
      growth: rows(20, "installation"),
      kept: untilRemoved,
      authors: { updated_by: "Prompts you last changed" },
      notPersonal: { "the prompt": "key name description purpose status" },
    },
    prompt_versions: {
      growth: rows(200, "installation"),
      kept: withPrompt,
      authors: { created_by: "Versions of prompts that you wrote" },
      notPersonal: { "text of the prompt, without values of people": "body note" },
    },
    prompt_cases: {
      growth: rows(100, "installation"),
      kept: withPrompt,
      notPersonal: { "a test question": "name message contains lacks" },
    },
    prompt_results: {
      growth: rows(1000, "installation"),
      kept: withPrompt,
      notPersonal: { "how a test question was answered": "connector model answer faults" },
    },
    button_prompts: {
      growth: rows(1, "course"),
      kept: untilRemoved,
      authors: { updated_by: "Button prompts you last changed" },
      notPersonal: { "the button": "key label model outputs visible_when confirm_text failure_text status" },
    },
    button_prompt_courses: { growth: rows(1, "course"), kept: "as long as the button" },
    button_runs: { growth: rows(10, "learner"), kept: withAccount },
  },
  personalData,
});
