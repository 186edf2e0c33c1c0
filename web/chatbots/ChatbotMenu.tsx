import { Menu } from "@mantine/core";
import {
  IconArchive,
  IconCopy,
  IconDownload,
  IconExternalLink,
  IconPlayerPause,
  IconPlayerPlay,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useBotActions } from "#web/chatbots/useBotActions.ts";
import type { Chatbot } from "#shared/chatbots/chatbots.ts";

const icon = { size: 18, stroke: 1.7 };

/** Menu items of a chatbot. */
export function ChatbotMenu({ bot }: { bot: Pick<Chatbot, "id" | "name" | "status" | "live"> }) {
  const { t } = useTranslation();
  const actions = useBotActions();
  return (
    <>
      {bot.status === "published" && (
        <>
          <Menu.Item
            component="a"
            href={`/chatbot/${bot.id}`}
            target="_blank"
            leftSection={<IconExternalLink {...icon} />}
          >
            {t("chatbots.menu.open")}
          </Menu.Item>
          <Menu.Item leftSection={<IconPlayerPause {...icon} />} onClick={() => actions.pause(bot)}>
            {t("chatbots.menu.pause")}
          </Menu.Item>
        </>
      )}
      {(bot.status === "paused" || bot.status === "archived") && bot.live && (
        <Menu.Item leftSection={<IconPlayerPlay {...icon} />} onClick={() => actions.resume(bot)}>
          {t("chatbots.menu.resume")}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconCopy {...icon} />} onClick={() => void actions.duplicate(bot)}>
        {t("chatbots.menu.duplicate")}
      </Menu.Item>
      <Menu.Item leftSection={<IconDownload {...icon} />} onClick={() => void actions.exportFile(bot)}>
        {t("chatbots.menu.export")}
      </Menu.Item>
      {bot.status !== "archived" && (
        <Menu.Item leftSection={<IconArchive {...icon} />} onClick={() => actions.archive(bot)}>
          {t("chatbots.menu.archive")}
        </Menu.Item>
      )}
    </>
  );
}
