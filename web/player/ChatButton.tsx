import { Menu } from "@mantine/core";
import { IconCheck, IconMessageCircle } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/player/PlayerBar.module.css";
import controls from "#web/player/PlayerControls.module.css";
import type { CourseChatState } from "#web/player/useCourseChat.ts";

/** Opens the chatbot of the course next to it; with several, a menu. Renders nothing without a chatbot. */
export function ChatButton({ chat }: { chat: CourseChatState }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [first, ...others] = chat.bots;
  const hasSeveral = others.length > 0;
  // A click in the course happens in another document, and is only noticed because this window loses the focus.
  useEffect(() => {
    const close = () => setOpen(false);
    addEventListener("blur", close);
    return () => removeEventListener("blur", close);
  }, []);
  if (!first) return null;
  const label = hasSeveral ? t("player.chats") : t("player.chat", { name: first.name });
  const button = (
    <button
      type="button"
      className={`${controls.button} ${classes.chat}`}
      aria-expanded={hasSeveral ? isOpen : chat.shown !== null}
      aria-keyshortcuts="Alt+M"
      aria-label={label}
      title={t("player.chatKeys")}
      onClick={hasSeveral ? undefined : chat.toggle}
    >
      <IconMessageCircle size={18} stroke={1.7} />
      <span className={controls.wide}>{label}</span>
    </button>
  );
  if (!hasSeveral) return button;
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-end" returnFocus={false}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {chat.bots.map(({ id, name }) => (
          <Menu.Item
            key={id}
            onClick={() => chat.open(id)}
            rightSection={id === chat.shown && <IconCheck size={16} stroke={1.7} aria-label={t("player.chatOpen")} />}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
