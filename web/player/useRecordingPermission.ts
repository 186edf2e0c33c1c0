import { useQuery } from "@tanstack/react-query";
import { queryFor } from "#web/core/api/api.ts";
import { decision } from "#web/core/session/consent.ts";
import type { Launch } from "#shared/player/player.ts";
import { recordings } from "#shared/recordings/recordings.ts";

/**
 * False once the page of a session must not be recorded any more: the choice in this browser or, as the live channel
 * says, on another device or by the company. Whether it may be recorded at all is decided by the launch.
 */
export function useRecordingPermission({ sessionId, recording }: Pick<Launch, "sessionId" | "recording">) {
  const choice = decision.use();
  const { data } = useQuery({
    ...queryFor(recordings.state, { params: { id: sessionId } }),
    enabled: recording !== null,
  });
  return recording !== null && choice?.preferences.analytical !== false && data?.recording !== false;
}
