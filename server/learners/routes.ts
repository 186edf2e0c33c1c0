import type { Mount } from "#server/core/http/http.ts";
import { checkInvitations, inviteLearners, resendInvitations } from "#server/learners/invitations.ts";
import { exportLearners } from "#server/learners/learnerExport.ts";
import { listLearners } from "#server/learners/learnerRows.ts";
import {
  assignToLearners,
  getLearner,
  moveLearners,
  setManagerOfLearners,
  updateLearner,
} from "#server/learners/service.ts";
import { previewLearnerReminders, remindLearners } from "#server/learners/reminders.ts";
import { reactivateLearners, suspendLearners, undoSuspension } from "#server/learners/suspensions.ts";
import { createLearner, issueLearnerPin } from "#server/learners/numberedLearners.ts";
import { canIssuePins, canManageLearners, learners } from "#shared/learners/learners.ts";
import { isSignedIn } from "#shared/core/users.ts";

export function learnerRoutes(on: Mount) {
  on(learners.list, canManageLearners, (call) => listLearners(call, call.query));
  on(learners.export, canManageLearners, (call) => exportLearners(call, call.query));
  on(learners.get, isSignedIn, (call) => getLearner(call, call.params.id));
  on(learners.invite, canManageLearners, (call) => inviteLearners(call, call.body));
  on(learners.create, canManageLearners, (call) => createLearner(call, call.body));
  on(learners.issuePin, canIssuePins, (call) => issueLearnerPin(call, call.params.id, call.body));
  on(learners.checkInvitations, canManageLearners, (call) => checkInvitations(call, call.body));
  on(learners.update, canManageLearners, (call) => updateLearner(call, call.params.id, call.body));
  on(learners.resend, canManageLearners, (call) => resendInvitations(call, call.body));
  on(learners.suspend, canManageLearners, (call) => suspendLearners(call, call.body, call.body.reason));
  on(learners.reactivate, canManageLearners, (call) => reactivateLearners(call, call.body));
  on(learners.undoSuspension, canManageLearners, (call) => undoSuspension(call, call.params.id));
  on(learners.setManager, canManageLearners, (call) => setManagerOfLearners(call, call.body));
  on(learners.assign, canManageLearners, (call) => assignToLearners(call, call.body));
  on(learners.remindPreview, canManageLearners, (call) => previewLearnerReminders(call, call.body));
  on(learners.remind, canManageLearners, (call) => remindLearners(call, call.body));
  on(learners.move, canManageLearners, (call) => moveLearners(call, call.body, call.body.companyId));
}
