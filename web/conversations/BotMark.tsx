import { IconMessageChatbot } from "@tabler/icons-react";
import type { CSSProperties } from "react";
import classes from "#web/conversations/BotMark.module.css";

/** An arch in the colour of the chatbot. */
export const BotMark = ({ color }: { color: string | null }) => (
  <span className={classes.mark} style={color ? ({ "--bot": color } as CSSProperties) : {}} aria-hidden>
    <IconMessageChatbot size={20} stroke={1.7} />
  </span>
);
