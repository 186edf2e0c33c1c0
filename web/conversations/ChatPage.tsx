import { useParams, useSearchParams } from "react-router";
import { isEmbedded } from "#web/core/embedded.ts";
import { useSession } from "#web/core/session/session.tsx";
import { Chat } from "#web/conversations/Chat.tsx";
import classes from "#web/conversations/chat.module.css";
import { isUuid } from "#shared/core/uuid.ts";
import { homeOf } from "#shared/core/users.ts";

/** Tells the framing page (`embed.js`) to hide the chat: the only message to that page. */
const closeFrame = () => parent.postMessage("lyceum:close", "*");

const pageChannel = (eventId: string | null) => (eventId ? "event" : "page");

/**
 * `/chatbot/{id}` and `/chatbot/{id}/{courseId}`: one chatbot in the whole window; with `?embed=1` in a frame of
 * another site.
 */
export function ChatPage() {
  const { id = "", courseId = null } = useParams();
  // Subscribes to changes of the URL.
  const [params] = useSearchParams();
  const asked = params.get("event") ?? "";
  const eventId = courseId === null && isUuid(asked) ? asked : null;
  const isFramed = courseId === null && isEmbedded();
  const { user } = useSession();
  const parentPage = () => {
    if (courseId !== null) return `/courses/${courseId}`;
    if (eventId !== null) return "/events";
    return user && homeOf(user);
  };
  return (
    <main className={classes.page}>
      <Chat
        key={`${id} ${courseId} ${eventId}`}
        chatbotId={id}
        courseId={courseId}
        eventId={eventId}
        channel={isFramed ? "embed" : pageChannel(eventId)}
        isPage
        back={isFramed ? null : parentPage()}
        {...(isFramed && parent !== window && { onClose: closeFrame })}
      />
    </main>
  );
}
