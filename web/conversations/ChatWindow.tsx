import { Button } from "@mantine/core";
import { Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useAcademyName } from "#web/core/academy/academy.ts";
import { shownBranch } from "#web/conversations/branch.ts";
import type { Chat } from "#web/conversations/chat.ts";
import type { Channel, ChatStatus } from "#web/conversations/chatState.ts";
import { lazyWithPreload } from "#web/core/rendering/lazyWithPreload.tsx";
import { canListen } from "#web/conversations/voice/recognition.ts";
import { canRecord } from "#web/conversations/voice/recorder.ts";
import { AnswerMarkdown } from "#web/conversations/turns/AnswerTurn.tsx";
import { Announcer } from "#web/conversations/Announcer.tsx";
import { ChatHead } from "#web/conversations/ChatHead.tsx";
import { Composer } from "#web/conversations/Composer.tsx";
import { HistoryPanel } from "#web/conversations/HistoryPanel.tsx";
import { SourcePanel } from "#web/conversations/SourcePanel.tsx";
import { Transcript } from "#web/conversations/Transcript.tsx";
import classes from "#web/conversations/chat.module.css";
import type { PublicBot } from "#shared/chatbots/chatbots.ts";
import type { TurnSource } from "#shared/conversations/conversations.ts";

type Props = { chat: Chat; channel: Channel; isPage: boolean; back: string | null; onClose?: () => void };
/** The sources of an answer, and the one that is open. */
export type OpenSources = { sources: TurnSource[]; n: number };

export function ChatWindow({ chat, channel, isPage, back, onClose }: Props) {
  const state = chat.state.use();
  const [sources, setSources] = useState<OpenSources | null>(null);
  const [showsHistory, setShowsHistory] = useState(false);
  const [isVoice, setVoice] = useState(false);
  const [readsAloud, setReadsAloud] = useState(false);
  const academy = useAcademyName();
  const { bot, conversation, status } = state;
  useEffect(() => void AnswerMarkdown.preload(), []);
  useEffect(() => {
    if (isPage && bot) document.title = `${bot.name} · ${academy}`;
  }, [isPage, bot, academy]);
  if (!bot) return <Unavailable status={status} chat={chat} isPage={isPage} canSignIn={channel !== "embed"} />;
  const branch = shownBranch(conversation?.turns ?? [], state.choices);
  const composer = (
    <Composer
      chat={chat}
      bot={bot}
      state={state}
      branch={branch}
      takesFocus={channel !== "preview"}
      canSpeak={channel !== "embed"}
      onSpeak={channel !== "embed" && hasVoice(bot) ? () => setVoice(true) : undefined}
    />
  );
  return (
    <div className={classes.chat}>
      <ChatHead
        chat={chat}
        bot={bot}
        branch={branch}
        isPage={isPage}
        back={back}
        onHistory={channel === "preview" ? undefined : () => setShowsHistory(true)}
        onClose={onClose}
      />
      <Transcript
        chat={chat}
        bot={bot}
        state={state}
        branch={branch}
        channel={channel}
        onSource={(found, n) => setSources({ sources: found, n })}
      />
      {isVoice && bot.voice ? (
        <Suspense fallback={composer}>
          <VoiceMode
            chat={chat}
            bot={bot}
            voice={bot.voice}
            state={state}
            branch={branch}
            onReadsAloud={setReadsAloud}
            onLeave={() => setVoice(false)}
          >
            {composer}
          </VoiceMode>
        </Suspense>
      ) : (
        composer
      )}
      <Announcer key={conversation?.id} branch={branch} name={bot.name} isSilent={readsAloud} />
      {sources && (
        <SourcePanel {...sources} onOpen={(n) => setSources({ ...sources, n })} onClose={() => setSources(null)} />
      )}
      {showsHistory && (
        <HistoryPanel
          chat={chat}
          chatbotId={bot.id}
          currentId={conversation?.id ?? null}
          onClose={() => setShowsHistory(false)}
        />
      )}
    </div>
  );
}

/** Whether this browser supports the voice mode that the chatbot offers. */
const hasVoice = ({ voice }: PublicBot) => voice !== null && (voice.hears === "provider" ? canRecord() : canListen());

const VoiceMode = lazyWithPreload(() =>
  import("#web/conversations/voice/VoiceMode.tsx").then(({ VoiceMode: Mode }) => Mode),
);

type UnavailableProps = { status: ChatStatus; chat: Chat; isPage: boolean; canSignIn: boolean };

/** Shown while the chatbot is loading, or if it is not open to this person. */
function Unavailable({ status, chat, isPage, canSignIn }: UnavailableProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const Title = isPage ? "h1" : "h2";
  const academy = useAcademyName();
  const isOpening = status === "loading" || status === "ready";
  const key = status === "unreachable" || (status === "signIn" && canSignIn) ? status : null;
  const title = t(key ? `chat.closed.${key}Title` : "chat.closed.title");
  useEffect(() => {
    if (isPage) document.title = isOpening ? academy : `${title} · ${academy}`;
  }, [isPage, isOpening, title, academy]);
  if (isOpening) return <div className={classes.unavailable} role="status" aria-label={t("chat.closed.loading")} />;
  return (
    <div className={classes.unavailable}>
      <Title>{title}</Title>
      <p>{t(key ? `chat.closed.${key}Text` : "chat.closed.text")}</p>
      {key === "unreachable" && <Button onClick={() => void chat.load()}>{t("chat.closed.retry")}</Button>}
      {key === "signIn" && (
        <Button
          onClick={() => void navigate(`/login?redirect=${encodeURIComponent(location.pathname + location.search)}`)}
        >
          {t("chat.closed.signIn")}
        </Button>
      )}
    </div>
  );
}
