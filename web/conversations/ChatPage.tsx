import { useEffect } from "react";
import { useParams, useSearchParams } from "react-router";
import { Chat } from "#web/conversations/Chat.tsx";
import classes from "#web/conversations/chat.module.css";

/** `/chatbot/{id}` and `/chatbot/{id}/{courseId}`: one chatbot in the whole window; with `?embed=1` in a frame of another site. */
export function ChatPage() {
  const { id = "", courseId = null } = useParams();
  const [search] = useSearchParams();
  const isEmbedded = courseId === null && search.get("embed") === "1";
  useEffect(() => {
    if (!isEmbedded) return undefined;
    const closeOnEscape = ({ key }: KeyboardEvent) => {
      if (key === "Escape") parent.postMessage("lyceum:close", "*");
    };
    addEventListener("keydown", closeOnEscape);
    return () => removeEventListener("keydown", closeOnEscape);
  }, [isEmbedded]);
  return (
    <div className={classes.page}>
      <Chat
        key={`${id} ${courseId}`}
        chatbotId={id}
        courseId={courseId}
        channel={isEmbedded ? "embed" : "page"}
        isPage
      />
    </div>
  );
}
