import type { Mount } from "#server/core/http/http.ts";
import { checkOwn, openLink } from "#server/transcripts/checking.ts";
import { sendTranscript, sendTranscriptPdf } from "#server/transcripts/files.ts";
import {
  issueTranscript,
  listTranscripts,
  removeTranscript,
  shareTranscript,
  unshareTranscript,
} from "#server/transcripts/service.ts";
import { canOpenLink, hasTranscripts, transcripts } from "#shared/transcripts/transcripts.ts";

export function transcriptRoutes(on: Mount) {
  on(transcripts.list, hasTranscripts, (call) => listTranscripts(call, call.query));
  on(transcripts.issue, hasTranscripts, (call) => issueTranscript(call, call.body));
  on(transcripts.get, hasTranscripts, (call) => checkOwn(call, call.params.id));
  on(transcripts.pdf, hasTranscripts, (call) => sendTranscriptPdf(call, call.params.id));
  on(transcripts.file, hasTranscripts, (call) => sendTranscript(call, call.params.id, call.query));
  on(transcripts.share, hasTranscripts, (call) => shareTranscript(call, call.params.id, call.body));
  on(transcripts.unshare, hasTranscripts, (call) => unshareTranscript(call, call.params.id));
  on(transcripts.remove, hasTranscripts, (call) => removeTranscript(call, call.params.id));
  on(transcripts.open, canOpenLink, (call) => openLink(call, call.params.token));
}
