import { Button } from "@mantine/core";
import { startTransition, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ShownTurn } from "#web/conversations/branch.ts";
import type { Chat } from "#web/conversations/chat.ts";
import type { Channel, ChatState } from "#web/conversations/chatState.ts";
import { Opening } from "#web/conversations/Opening.tsx";
import { OwnTurn } from "#web/conversations/turns/OwnTurn.tsx";
import { blocksOf, TurnBlock } from "#web/conversations/turns/TurnBlock.tsx";
import { AnswerTurn } from "#web/conversations/turns/AnswerTurn.tsx";
import classes from "#web/conversations/chat.module.css";
import transcriptClasses from "#web/conversations/transcript.module.css";
import type { PublicBot } from "#shared/chatbots/chatbots.ts";
import { isOpenState, type TurnSource } from "#shared/conversations/conversations.ts";

type Props = {
  chat: Chat;
  bot: PublicBot;
  state: ChatState;
  branch: ShownTurn[];
  channel: Channel;
  onSource: (sources: TurnSource[], n: number) => void;
};

/** Blocks of turns that are rendered first; earlier blocks are added one by one. */
const FIRST_BLOCKS = 5;
/** Within this distance of the end, in pixels, new text keeps the end in view. */
const NEAR_END = 80;

export function Transcript({ chat, bot, state, branch, channel, onSource }: Props) {
  const { t } = useTranslation();
  const { conversation, unsent, isConnected } = state;
  const [first, setFirst] = useState({ id: "", count: FIRST_BLOCKS });
  const count = first.id === (conversation?.id ?? "") ? first.count : FIRST_BLOCKS;
  const blocks = blocksOf(branch);
  const shown = blocks.slice(-count);
  const hasEarlier = blocks.length > shown.length;
  const { frame, list, keepPlace } = useScrolling(unsent?.id ?? "", shown[0]?.[0]?.turn.id ?? "");
  const top = useRef<HTMLDivElement>(null);

  const showEarlier = () => {
    keepPlace();
    startTransition(() => setFirst({ id: conversation?.id ?? "", count: count + 1 }));
  };
  const showMore = useRef(showEarlier);
  useLayoutEffect(() => {
    showMore.current = showEarlier;
  });
  useEffect(() => {
    if (!hasEarlier || !top.current) return undefined;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && showMore.current(), {
      root: frame.current,
      rootMargin: "600px 0px 0px",
    });
    observer.observe(top.current);
    return () => observer.disconnect();
  }, [hasEarlier, count, frame]);

  const ask = useCallback((text: string, buttonId?: string) => chat.send(text, buttonId), [chat]);
  const last = branch.at(-1)?.turn;
  return (
    <div ref={frame} className={classes.frame} role="region" aria-label={t("chat.transcript")} tabIndex={0}>
      <div ref={list} className={classes.turns}>
        {hasEarlier ? (
          <div ref={top} className={classes.earlier}>
            <Button variant="subtle" size="compact-md" onClick={showEarlier}>
              {t("chat.actions.earlier")}
            </Button>
          </div>
        ) : (
          <Opening
            bot={bot}
            channel={channel}
            startedAt={conversation?.startedAt ?? null}
            hasTurns={branch.length > 0}
          />
        )}
        {shown.map((block) => (
          <TurnBlock key={block[0]?.turn.id} frame={frame} isLast={block === shown.at(-1)}>
            {() =>
              block.map(({ turn, siblings }) =>
                turn.role === "user" ? (
                  <OwnTurn
                    key={turn.id}
                    chat={chat}
                    turn={turn}
                    siblings={siblings}
                    canEdit={bot.pedagogy !== "scene"}
                    help={bot.help}
                  />
                ) : (
                  <AnswerTurn
                    key={turn.id}
                    chat={chat}
                    bot={bot}
                    turn={turn}
                    siblings={siblings}
                    isLast={turn.id === last?.id}
                    isConnected={isConnected}
                    hasLinks={channel !== "embed"}
                    onSource={onSource}
                  />
                ),
              )
            }
          </TurnBlock>
        ))}
        {unsent && <OwnTurn chat={chat} turn={unsent} siblings={[]} canEdit={false} help="" />}
        {!unsent && <Replies bot={bot} branch={branch} onAsk={ask} isEnded={conversation?.endedAt != null} />}
      </div>
    </div>
  );
}

type RepliesProps = {
  bot: PublicBot;
  branch: ShownTurn[];
  isEnded: boolean;
  onAsk: (text: string, buttonId?: string) => void;
};

/** Suggested replies: those of the last turn, or those for the first message. */
function Replies({ bot, branch, isEnded, onAsk }: RepliesProps) {
  const last = branch.at(-1)?.turn;
  // A scene starts with a turn that has its own replies.
  const suggested = bot.pedagogy === "scene" ? [] : bot.quickReplies;
  const replies = last ? last.options : suggested;
  const isAnswering = last !== undefined && isOpenState(last.state);
  if (isEnded || isAnswering || replies.length + bot.buttons.length === 0 || last?.role === "user") return null;
  return (
    <div className={transcriptClasses.replies}>
      {replies.map((reply) => (
        <button key={reply} type="button" className={transcriptClasses.reply} onClick={() => onAsk(reply)}>
          {reply}
        </button>
      ))}
      {bot.buttons.map(({ id, label }) => (
        <button key={id} type="button" className={transcriptClasses.reply} onClick={() => onAsk(label, id)}>
          {label}
        </button>
      ))}
    </div>
  );
}

/** Keeps the end in view while the reader is there, and the reading position when earlier turns are added above. */
function useScrolling(ownMessageId: string, firstId: string) {
  const frame = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const fromEnd = useRef<number | null>(null);
  useEffect(() => {
    const box = frame.current as HTMLDivElement;
    const toEnd = () => {
      if (isAtEnd.current) box.scrollTop = box.scrollHeight;
    };
    let lastTop = 0;
    // Only scrolling up leaves the end; text that has grown since the last frame does not.
    const onScroll = () => {
      if (box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END) isAtEnd.current = true;
      else if (box.scrollTop < lastTop) isAtEnd.current = false;
      lastTop = box.scrollTop;
    };
    const observer = new ResizeObserver(toEnd);
    observer.observe(box);
    observer.observe(list.current as HTMLDivElement);
    box.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener("scroll", onScroll);
    };
  }, []);
  useLayoutEffect(() => {
    const box = frame.current;
    if (!ownMessageId || !box) return;
    isAtEnd.current = true;
    box.scrollTop = box.scrollHeight;
  }, [ownMessageId]);
  useLayoutEffect(() => {
    const box = frame.current;
    if (fromEnd.current !== null && box) box.scrollTop = box.scrollHeight - fromEnd.current;
    fromEnd.current = null;
  }, [firstId]);
  const keepPlace = () => {
    const box = frame.current;
    if (box) fromEnd.current = box.scrollHeight - box.scrollTop;
  };
  return { frame, list, keepPlace };
}
