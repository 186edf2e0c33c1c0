/** The address of the replay of a session, optionally at a time in ms since its start. For admins. */
export const replayPath = (sessionId: string, t?: number | null) =>
  `/reports/session/replay/${sessionId}${t === null || t === undefined ? "" : `?t=${Math.max(0, t) / 1000}`}`;
