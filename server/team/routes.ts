import type { Mount } from "#server/core/http/http.ts";
import { previewTeamReminders, remindTeam } from "#server/team/reminders.ts";
import { exportTeam, issueTeamPin, listTeam, listTeamCourses, readHome, readMember } from "#server/team/service.ts";
import { canIssueTeamPins, canSeeTeam, team } from "#shared/team/team.ts";

export function teamRoutes(on: Mount) {
  on(team.home, canSeeTeam, (call) => readHome(call));
  on(team.list, canSeeTeam, (call) => listTeam(call, call.query));
  on(team.export, canSeeTeam, (call) => exportTeam(call, call.query));
  on(team.get, canSeeTeam, (call) => readMember(call, call.params.id));
  on(team.issuePin, canIssueTeamPins, (call) => issueTeamPin(call, call.params.id, call.body));
  on(team.courses, canSeeTeam, (call) => listTeamCourses(call));
  on(team.remindPreview, canSeeTeam, (call) => previewTeamReminders(call, call.body));
  on(team.remind, canSeeTeam, (call) => remindTeam(call, call.body));
}
