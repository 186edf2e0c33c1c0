import { useEffect, useState } from "react";
import { useSession } from "#web/core/session/session.tsx";
import { type Chat as ChatHandle, createChat } from "#web/conversations/chat.ts";
import type { Channel } from "#web/conversations/chatState.ts";
import { ChatWindow } from "#web/conversations/ChatWindow.tsx";

export type ChatProps = {
  chatbotId: string;
  courseId?: string | null;
  /** The event on whose page the chat was opened. */
  eventId?: string | null;
  /**
   * `preview`: the draft, for admins, excluded from all figures. `embed`: always as a visitor, without links to other
   * pages.
   */
  channel: Channel;
  /** The session of the course that runs beside the chat. */
  sessionId?: string | null;
  /** True if the name of the chatbot is the h1 of the page. */
  isPage?: boolean;
  /** Target of the Back link; null without one. */
  back?: string | null;
  onClose?: () => void;
};

/** The conversation with a chatbot. Fills its container, which needs a height. */
export function Chat({
  chatbotId,
  courseId = null,
  eventId = null,
  channel,
  sessionId = null,
  isPage = false,
  back = null,
  onClose,
}: ChatProps) {
  const { user, settled } = useSession();
  const userId = channel === "embed" ? null : (user?.id ?? null);
  const canStart = channel === "embed" || settled;
  const [chat, setChat] = useState<ChatHandle | null>(null);
  useEffect(() => {
    if (!canStart) return undefined;
    const made = createChat({ chatbotId, courseId, eventId, channel, sessionId, userId });
    setChat(made);
    void made.load();
    return () => {
      made.stop();
      setChat(null);
    };
  }, [chatbotId, courseId, eventId, channel, sessionId, userId, canStart]);
  return chat && <ChatWindow chat={chat} channel={channel} isPage={isPage} back={back} {...(onClose && { onClose })} />;
}
