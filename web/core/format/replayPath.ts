const timeOf = (t: number | null | undefined) =>
  t === null || t === undefined ? "" : `?t=${Math.floor(Math.max(0, t)) / 1000}`;

/** The address of the replay of a session, optionally at a time in ms since its start. For admins. */
export const replayPath = (sessionId: string, t?: number | null) => `/reports/session/replay/${sessionId}${timeOf(t)}`;
/** The same of a conversation. */
export const conversationReplayPath = (conversationId: string, t?: number | null) =>
  `/reports/conversation/replay/${conversationId}${timeOf(t)}`;
