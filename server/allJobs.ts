import { recordLockout } from "#server/auth/password/lockouts.ts";
import { sendPasswordReset, deleteExpiredSignInData } from "#server/auth/password/passwordResets.ts";
import { notifyAssigned } from "#server/courses/assignmentMails.ts";
import { sendReminders } from "#server/courses/reminders.ts";
import { deleteUndoSteps } from "#server/courses/undo.ts";
import { eventJobs } from "#server/events/jobs.ts";
import { sweepFiles } from "#server/files/jobs.ts";
import { removeOldValues } from "#server/rawData/jobs.ts";
import { sendMail } from "#server/mails/service.ts";
import { closeSilentSessions } from "#server/player/jobs.ts";
import { purgeExpiredRecords } from "#server/privacy/jobs.ts";
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
  removeOldValues,
  foldStoredValues,
  ...eventJobs,
];
