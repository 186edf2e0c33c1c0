import type { Mount } from "#server/core/http/http.ts";
import { exportCompliance, exportTeam, listPeople, listRequired, listTeam } from "#server/requirements/compliance.ts";
import { createExemption, endExemption, listExemptions } from "#server/requirements/exemptions.ts";
import { listTeamRequirements } from "#server/requirements/requirementRows.ts";
import {
  closeEarly,
  createRequirement,
  openEarly,
  previewRequirement,
  removeRequirement,
  updateRequirement,
} from "#server/requirements/service.ts";
import { canManageExemptions, exemptions } from "#shared/requirements/exemptions.ts";
import { canManageRequirements, canSeeTeamRequirements, requirements } from "#shared/requirements/requirements.ts";

export function requirementRoutes(on: Mount) {
  on(requirements.list, canManageRequirements, (call) => listRequired(call, call.params.id, call.query));
  on(requirements.create, canManageRequirements, (call) => createRequirement(call, call.params.id, call.body));
  on(requirements.preview, canManageRequirements, (call) => previewRequirement(call, call.params.id, call.body));
  on(requirements.update, canManageRequirements, (call) => updateRequirement(call, call.params.id, call.body));
  on(requirements.remove, canManageRequirements, (call) => removeRequirement(call, call.params.id));
  on(requirements.people, canManageRequirements, (call) => listPeople(call, call.params.id, call.query));
  on(requirements.export, canManageRequirements, (call) => exportCompliance(call, call.params.id, call.query));
  on(requirements.teamList, canSeeTeamRequirements, (call) => listTeamRequirements(call));
  on(requirements.team, canSeeTeamRequirements, (call) => listTeam(call, call.query));
  on(requirements.exportTeam, canSeeTeamRequirements, (call) => exportTeam(call, call.query));
  on(requirements.open, canManageRequirements, (call) => openEarly(call, call.params.id));
  on(requirements.close, canManageRequirements, (call) => closeEarly(call, call.params.id));
  on(exemptions.list, canManageExemptions, (call) => listExemptions(call, call.params.id));
  on(exemptions.create, canManageExemptions, (call) => createExemption(call, call.params.id, call.body));
  on(exemptions.end, canManageExemptions, (call) => endExemption(call, call.params.id));
}
