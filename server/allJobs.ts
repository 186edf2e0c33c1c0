import { groupQuestions } from "#server/analysis/questionGrouping.ts";
import { runAnalyses } from "#server/analysis/runWorker.ts";
import { recordLockout } from "#server/auth/password/lockouts.ts";
import { sendPasswordReset, deleteExpiredSignInData } from "#server/auth/password/passwordResets.ts";
import { sweepLostCalls } from "#server/connectors/jobs.ts";
import { closeLostAnswers, deleteOldConversations } from "#server/conversations/jobs.ts";
import { markRefusedMessages } from "#server/conversations/refusedMessages.ts";
import { notifyAssigned } from "#server/courses/assignmentMails.ts";
import { sendReminders } from "#server/courses/reminders.ts";
import { deleteUndoSteps } from "#server/courses/undo.ts";
import { makeVectors, processDocuments } from "#server/documents/pipeline/jobs.ts";
import { eventJobs } from "#server/events/jobs.ts";
import { sweepFiles } from "#server/files/jobs.ts";
import { deleteOldRecordings } from "#server/recordings/jobs.ts";
import { removeOldValues } from "#server/rawData/jobs.ts";
import { sendMail } from "#server/mails/service.ts";
import { deleteOldNotifications } from "#server/notifications/service.ts";
import { closeSilentSessions } from "#server/player/jobs.ts";
import { purgeExpiredRecords } from "#server/privacy/jobs.ts";
import { sendViewMails } from "#server/reports/views/mails.ts";
import { passStoredValues } from "#server/flows/worker.ts";
import { deleteOldDeliveries } from "#server/webhooks/jobs.ts";
import { foldStoredValues } from "#server/variables/jobs.ts";

/** All background jobs, one per line. */
export const allJobs = [
  purgeExpiredRecords,
  sendMail,
  sendPasswordReset,
  sweepFiles,
  closeSilentSessions,
  deleteExpiredSignInData,
  recordLockout,
  notifyAssigned,
  sendReminders,
  deleteUndoSteps,
  deleteOldNotifications,
  removeOldValues,
  deleteOldRecordings,
  foldStoredValues,
  processDocuments,
  makeVectors,
  sweepLostCalls,
  passStoredValues,
  sendViewMails,
  deleteOldDeliveries,
  closeLostAnswers,
  runAnalyses,
  groupQuestions,
  deleteOldConversations,
  markRefusedMessages,
  ...eventJobs,
];
