import { Menu } from "@mantine/core";
import { IconMessages, IconPlayerPlay } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { conversationReplayPath } from "#web/core/format/replayPath.ts";

const icon = { size: 18, stroke: 1.7 };

/** Menu items of a conversation, for admins. */
export function ConversationMenu({ id, chatbotId }: { id: string; chatbotId: string }) {
  const { t } = useTranslation();
  return (
    <>
      <Menu.Item
        component={Link}
        to={`/admin/chatbots/edit/${chatbotId}?tab=conversations&conversation=${id}`}
        leftSection={<IconMessages {...icon} />}
      >
        {t("replay.conversation.transcript")}
      </Menu.Item>
      <Menu.Item component={Link} to={conversationReplayPath(id)} leftSection={<IconPlayerPlay {...icon} />}>
        {t("replay.conversation.link")}
      </Menu.Item>
    </>
  );
}
