import { defineDomain } from "#server/core/domains/domain.ts";
import { outlookRoutes } from "#server/outlook/routes.ts";

export const outlook = defineDomain({
  name: "outlook",
  uses: ["courses", "enrolmentRules", "fields", "groups", "managers", "reminders", "requirements", "audit"],
  routes: [outlookRoutes],
  openTo: { learners: ["outlook.get", "outlook.courses"], managers: ["outlook.member"] },
});
