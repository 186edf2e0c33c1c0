import { Button, Switch } from "@mantine/core";
import { IconKeyboard, IconPlayerStopFilled } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { ShownTurn } from "#web/conversations/branch.ts";
import type { Chat } from "#web/conversations/chat.ts";
import type { ChatState } from "#web/conversations/chatState.ts";
import transcriptClasses from "#web/conversations/transcript.module.css";
import { Note } from "#web/conversations/turns/AnswerEnd.tsx";
import { HeardText } from "#web/conversations/voice/HeardText.tsx";
import { TalkButton } from "#web/conversations/voice/TalkButton.tsx";
import classes from "#web/conversations/voice/voice.module.css";
import { VoiceNotes } from "#web/conversations/voice/VoiceNotes.tsx";
import type { VoiceSession } from "#web/conversations/voice/voiceSession.ts";
import type { VoiceState } from "#web/conversations/voice/voiceState.ts";
import type { PublicBot } from "#shared/chatbots/chatbots.ts";
import { isOpenState } from "#shared/conversations/conversations.ts";

export type VoicePanelProps = {
  chat: Chat;
  bot: PublicBot;
  voice: NonNullable<PublicBot["voice"]>;
  state: ChatState;
  branch: ShownTurn[];
  session: VoiceSession;
  onLeave: () => void;
};

/** The current stage as one word. */
function stageOf({ phase, isSpeaking, hasClip }: VoiceState, isAnswering: boolean) {
  if (phase !== "ready") return phase;
  if (isSpeaking) return "speaking";
  if (isAnswering) return "answering";
  return hasClip ? "kept" : "ready";
}

/** Replaces the message field: the talk button, the current stage as text, and a button to go back to writing. */
export function VoicePanel({ bot, voice, state, session, onLeave }: VoicePanelProps) {
  const { t } = useTranslation();
  const heard = session.state.use();
  const { unsent, problem, isConnected, conversation } = state;
  const isAnswering = unsent !== null || (conversation?.turns.some((turn) => isOpenState(turn.state)) ?? false);
  const stage = stageOf(heard, isAnswering);
  const canInterrupt = stage === "speaking" || (stage === "answering" && !unsent);
  return (
    <section className={`${transcriptClasses.foot} ${classes.panel}`} aria-label={t("chat.voice.title")}>
      {unsent && !isConnected && (
        <Note kind="warn">{t(`chat.offline.${navigator.onLine ? "server" : "message"}`)}</Note>
      )}
      {problem && <Note kind="bad">{problem}</Note>}
      <VoiceNotes session={session} voice={heard} bot={bot} />
      {stage === "checking" ? (
        <HeardText session={session} text={heard.heard} max={bot.inputChars} />
      ) : (
        <>
          <div className={classes.stage} data-stage={stage}>
            <p className={classes.word} role="status">
              {t(`chat.voice.stages.${stage}`, { name: bot.name })}
            </p>
            <p className={classes.hint}>{heard.heard || t(`chat.voice.hints.${stage}`, { name: bot.name })}</p>
          </div>
          <TalkButton
            session={session}
            phase={heard.phase}
            isDisabled={stage === "asks" || unsent !== null || heard.hasClip}
          />
        </>
      )}
      <div className={classes.tools}>
        <Button
          variant="subtle"
          size="compact-md"
          leftSection={<IconKeyboard size={18} stroke={1.7} />}
          onClick={onLeave}
        >
          {t("chat.voice.type")}
        </Button>
        {canInterrupt && (
          <Button
            variant="default"
            size="compact-md"
            leftSection={<IconPlayerStopFilled size={14} />}
            onClick={session.silence}
          >
            {t("chat.voice.silence")}
          </Button>
        )}
        {stage === "listening" && (
          <Button variant="default" size="compact-md" onClick={session.discard}>
            {t("chat.voice.discard")}
          </Button>
        )}
        <Switch
          label={t("chat.voice.readsAloud")}
          checked={heard.readsAloud}
          onChange={(event) => session.setReadsAloud(event.currentTarget.checked)}
        />
        {!voice.checks && (
          <Switch
            label={t("chat.voice.checks")}
            checked={heard.checks}
            onChange={(event) => session.setChecks(event.currentTarget.checked)}
          />
        )}
      </div>
      {voice.hears === "provider" && (
        <p className={classes.notice}>{t("chat.voice.notice", { academy: bot.academy })}</p>
      )}
    </section>
  );
}
