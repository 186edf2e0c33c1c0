import type { ApiError } from "#web/core/api/http.ts";
import { messageOf } from "#web/core/api/messages.ts";

/** Codes that belong to one field, so that the message stands there. */
const fields: Record<string, string> = {
  "events.privacyNeeded": "privacyAccepted",
  "events.linkInName": "name",
  "events.attendanceNeeded": "attendance",
};

export const fieldOf = (error: ApiError): Record<string, string> => {
  const field = fields[error.code];
  return field ? { [field]: messageOf(error) } : {};
};
