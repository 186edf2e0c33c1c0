import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Chat } from "#web/conversations/chat.ts";
import classes from "#web/conversations/transcript.module.css";

/** Shows which version of a message is displayed, with arrows to the others. */
export function BranchArrows({ chat, id, siblings }: { chat: Chat; id: string; siblings: readonly string[] }) {
  const { t } = useTranslation();
  if (siblings.length < 2) return null;
  const at = siblings.indexOf(id);
  const arrow = (to: string | undefined, label: string, icon: React.ReactNode) => (
    <button
      type="button"
      className={classes.action}
      aria-label={label}
      title={label}
      disabled={!to}
      onClick={() => to && chat.choose(to)}
    >
      {icon}
    </button>
  );
  return (
    <span role="group" aria-label={t("chat.branch.label")} className={classes.branch}>
      {arrow(siblings[at - 1], t("chat.branch.previous"), <IconChevronLeft size={17} stroke={1.7} />)}
      <span>{t("chat.branch.position", { at: at + 1, total: siblings.length })}</span>
      {arrow(siblings[at + 1], t("chat.branch.next"), <IconChevronRight size={17} stroke={1.7} />)}
    </span>
  );
}
