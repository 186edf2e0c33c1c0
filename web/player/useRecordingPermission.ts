import { useQuery } from "@tanstack/react-query";
import { queryFor } from "#web/core/api/api.ts";
import { decision } from "#web/core/session/consentDecision.ts";
import type { Launch } from "#shared/player/player.ts";
import { recordings } from "#shared/recordings/recordings.ts";

/**
 * False once the page of a session must no longer be recorded: by a choice in this browser, or, through the live
 * channel, on another device or by the company. The launch decides whether recording is allowed at first.
 */
export function useRecordingPermission({ sessionId, recording }: Pick<Launch, "sessionId" | "recording">) {
  const choice = decision.use();
  const { data } = useQuery({
    ...queryFor(recordings.state, { params: { id: sessionId } }),
    enabled: recording !== null,
  });
  return recording !== null && choice?.preferences.analytical !== false && data?.recording !== false;
}
