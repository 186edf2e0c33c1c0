import type { ApiError } from "#web/core/http/http.ts";
import { messageOf } from "#web/core/http/messages.ts";

/** Fields at which the message of an error code is shown. */
const fieldsByCode: Record<string, string> = {
  "events.privacyNeeded": "privacyAccepted",
  "events.linkInName": "name",
  "events.attendanceNeeded": "attendance",
};

export const fieldOf = (error: ApiError): Record<string, string> => {
  const field = fieldsByCode[error.code];
  return field ? { [field]: messageOf(error) } : {};
};
