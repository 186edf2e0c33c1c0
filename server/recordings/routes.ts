import type { Mount } from "#server/core/http/http.ts";
import { readRecordingState, readStoredRecordings, removeCompanyRecordings } from "#server/recordings/service.ts";
import { canManageRecordings, canReadOwnRecording, recordings } from "#shared/recordings/recordings.ts";

export function recordingRoutes(on: Mount) {
  on(recordings.state, canReadOwnRecording, (call) => readRecordingState(call, call.params.id));
  on(recordings.stored, canManageRecordings, (call) => readStoredRecordings(call, call.params.id));
  on(recordings.remove, canManageRecordings, (call) => removeCompanyRecordings(call, call.params.id));
}
