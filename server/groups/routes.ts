import type { Mount } from "#server/core/http/http.ts";
import { getGroup, listChoices, listGroups, listMembers, listPersonGroups } from "#server/groups/groupRows.ts";
import {
  createGroup,
  exportGroup,
  placePeople,
  previewGroup,
  removeGroup,
  updateGroup,
} from "#server/groups/service.ts";
import { canManageGroups, groups } from "#shared/groups/groups.ts";

export function groupRoutes(on: Mount) {
  on(groups.list, canManageGroups, (call) => listGroups(call, call.query));
  on(groups.choices, canManageGroups, (call) => listChoices(call, call.query.companyId));
  on(groups.ofPerson, canManageGroups, (call) => listPersonGroups(call, call.params.id));
  on(groups.create, canManageGroups, (call) => createGroup(call, call.body));
  on(groups.preview, canManageGroups, (call) => previewGroup(call, call.body));
  on(groups.get, canManageGroups, (call) => getGroup(call, call.params.id));
  on(groups.members, canManageGroups, (call) => listMembers(call, call.params.id, call.query));
  on(groups.export, canManageGroups, (call) => exportGroup(call, call.params.id));
  on(groups.update, canManageGroups, (call) => updateGroup(call, call.params.id, call.body));
  on(groups.place, canManageGroups, (call) => placePeople(call, call.params.id, call.body));
  on(groups.remove, canManageGroups, (call) => removeGroup(call, call.params.id));
}
