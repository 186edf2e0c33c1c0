import { type ReactNode, useEffect, useState } from "react";
import { useNewSentences } from "#web/conversations/useNewSentences.ts";
import { VoicePanel, type VoicePanelProps } from "#web/conversations/voice/VoicePanel.tsx";
import { createVoiceSession, type VoiceSession } from "#web/conversations/voice/voiceSession.ts";

type Props = Omit<VoicePanelProps, "session"> & {
  /** Called when reading answers aloud is switched on or off. */
  onReadsAloud: (readsAloud: boolean) => void;
  /** Shown once the conversation has ended. */
  children: ReactNode;
};

/** Voice mode of an ordinary conversation. */
export function VoiceMode({ chat, voice, ...rest }: Props) {
  const [session, setSession] = useState<VoiceSession | null>(null);
  const { hears, speaks, checks } = voice;
  useEffect(() => {
    const made = createVoiceSession(chat, { hears, speaks, checks });
    setSession(made);
    return () => made.close();
  }, [chat, hears, speaks, checks]);
  return session && <Held {...rest} chat={chat} voice={voice} session={session} />;
}

function Held({ session, children, onReadsAloud, ...panel }: Props & { session: VoiceSession }) {
  const { readsAloud } = session.state.use();
  useNewSentences(panel.branch, session.speak);
  useEffect(() => {
    onReadsAloud(readsAloud);
    return () => onReadsAloud(false);
  }, [readsAloud, onReadsAloud]);
  return panel.state.conversation?.endedAt ? children : <VoicePanel {...panel} session={session} />;
}
