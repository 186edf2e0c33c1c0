import type { Launch } from "#shared/player/player.ts";

/** The previous session, if its page was in this window and may still be closing. */
export const closingSessionOf = ({ previous }: Pick<Launch, "previous">) =>
  previous?.isSameWindow ? previous.sessionId : null;
