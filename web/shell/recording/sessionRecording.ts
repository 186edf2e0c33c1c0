import { createPageRecording, type PageRecording } from "#web/shell/recording/pageRecording.ts";
import type { FromShell, RecordingEnd, ShellSession } from "#shared/player/shell.ts";

export { RECORDING_ENDED } from "#shared/recordings/recordingLimits.ts";

type Hooks = { post: (message: FromShell) => void; recordEnd: (reason: RecordingEnd) => void };

/**
 * Starts the recording of a session; null if it is not recorded. If it ends by itself, the reason is recorded as an
 * event.
 */
export function startRecording(session: ShellSession, files: string, { post, recordEnd }: Hooks): PageRecording | null {
  if (!session.recording) return null;
  if (typeof CompressionStream === "undefined") {
    post({ type: "recording", isOn: false });
    return null;
  }
  const stored = session.variables.declared.flatMap(({ value }) => (typeof value === "string" ? [value] : []));
  const recording = createPageRecording(session, files, session.recording.hidden, {
    onStart: () => post({ type: "recording", isOn: true }),
    onEnd: (reason) => {
      post({ type: "recording", isOn: false });
      recordEnd(reason);
    },
  });
  for (const text of stored) recording.hide(text);
  return recording;
}

/** Elements of the data model with what the learner answered or wrote. */
const ANSWER = /\.(learner|student)_response$|^cmi\.comments/;
/** Separators of the parts of an answer (SCORM 2004 RTE 4.2.9.1). */
const SEPARATORS = /\[,\]|\[\.\]|\[:\]/;

/** Masks an answer of the learner in everything that is recorded from now on. */
export function hideAnswer(recording: PageRecording | null, key: string, value: string) {
  if (recording && ANSWER.test(key)) for (const part of value.split(SEPARATORS)) recording.hide(part);
}
