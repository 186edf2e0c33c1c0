import { type ReactNode, useEffect, useState } from "react";
import type { ShownTurn } from "#web/conversations/branch.ts";
import type { Chat } from "#web/conversations/chat.ts";
import type { ChatState } from "#web/conversations/chatState.ts";
import { useNewSentences } from "#web/conversations/useNewSentences.ts";
import { VoicePanel } from "#web/conversations/voice/VoicePanel.tsx";
import { createVoiceSession, type VoiceSession } from "#web/conversations/voice/voiceSession.ts";
import type { PublicBot } from "#shared/chatbots/chatbots.ts";

export type VoiceModeProps = {
  chat: Chat;
  bot: PublicBot;
  voice: NonNullable<PublicBot["voice"]>;
  state: ChatState;
  branch: ShownTurn[];
  /** Whether the answers are read out is changed. */
  onReadsAloud: (readsAloud: boolean) => void;
  onLeave: () => void;
  /** What is shown when the conversation has ended. */
  children: ReactNode;
};

/** The conversation is held by speaking; it stays an ordinary conversation. */
export function VoiceMode({ chat, voice, ...rest }: VoiceModeProps) {
  const [session, setSession] = useState<VoiceSession | null>(null);
  const { hears, speaks, checks } = voice;
  useEffect(() => {
    const made = createVoiceSession(chat, { hears, speaks, checks });
    setSession(made);
    return () => made.close();
  }, [chat, hears, speaks, checks]);
  return session && <Held {...rest} chat={chat} voice={voice} session={session} />;
}

function Held({ session, children, onReadsAloud, ...panel }: VoiceModeProps & { session: VoiceSession }) {
  const { readsAloud } = session.state.use();
  useNewSentences(panel.branch, session.speak);
  useEffect(() => {
    onReadsAloud(readsAloud);
    return () => onReadsAloud(false);
  }, [readsAloud, onReadsAloud]);
  return panel.state.conversation?.endedAt ? children : <VoicePanel {...panel} session={session} />;
}
