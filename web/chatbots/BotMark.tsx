import {
  type Icon,
  IconBook2,
  IconBulb,
  IconMasksTheater,
  IconHelp,
  IconListCheck,
  IconMessageChatbot,
} from "@tabler/icons-react";
import classes from "#web/chatbots/chatbots.module.css";
import { contrast } from "#shared/branding.ts";
import type { BotSettings } from "#shared/botSettings.ts";

const icons: Record<BotSettings["pedagogy"], Icon> = {
  answer: IconMessageChatbot,
  hints: IconBulb,
  socratic: IconHelp,
  rolePlay: IconMasksTheater,
  quiz: IconListCheck,
  scene: IconBook2,
};
const DEFAULT_COLOR = "#0f5763";
const INK = "#15201e";

type Props = { color: string | null; pedagogy: BotSettings["pedagogy"]; size?: number };

/** The symbol of a chatbot: an arch in its colour, with what it does. */
export function BotMark({ color, pedagogy, size = 34 }: Props) {
  const Sign = icons[pedagogy];
  const background = color ?? DEFAULT_COLOR;
  const ink = contrast(background, INK) > contrast(background, "#ffffff") ? INK : "#fff";
  return (
    <span aria-hidden className={classes.mark} style={{ width: size, height: size * 1.12, background, color: ink }}>
      <Sign size={size * 0.56} stroke={1.7} />
    </span>
  );
}
