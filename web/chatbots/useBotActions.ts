import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { call, useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { toast } from "#web/core/toast/toast.ts";
import { botFile, type Chatbot, chatbots } from "#shared/chatbots/chatbots.ts";

type Bot = Pick<Chatbot, "id" | "name" | "status" | "live">;

/** Pauses, archives, copies, exports and imports chatbots. */
export function useBotActions() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const setStatus = useApiMutation(chatbots.setStatus);
  const copying = useApiMutation(chatbots.duplicate);
  const importing = useApiMutation(chatbots.import);
  const change = async ({ id, name }: Bot, status: "published" | "paused" | "archived") => {
    await setStatus.mutateAsync({ params: { id }, body: { status } });
    toast.done(t(`chatbots.now.${status}`, { name }));
  };
  return {
    pause: (bot: Bot) => void change(bot, "paused"),
    resume: (bot: Bot) => void change(bot, bot.live ? "published" : "paused"),
    archive: (bot: Bot) =>
      confirm({
        title: t("chatbots.archiving.title", { name: bot.name }),
        text: t("chatbots.archiving.text"),
        confirmLabel: t("chatbots.archiving.verb"),
        cancelLabel: t("chatbots.archiving.keep"),
        onConfirm: () => change(bot, "archived"),
      }),
    duplicate: async ({ id }: Bot) => {
      const copy = await copying.mutateAsync({ params: { id } });
      toast.done(t("chatbots.copied", { name: copy.name }));
      await navigate(`/admin/chatbots/edit/${copy.id}`);
    },
    exportFile: async ({ id, name }: Bot) => {
      const file = await call(chatbots.export, { params: { id } });
      const url = URL.createObjectURL(new Blob([JSON.stringify(file, null, 2)], { type: "application/json" }));
      const link = Object.assign(document.createElement("a"), { href: url, download: `${name}.json` });
      link.click();
      URL.revokeObjectURL(url);
    },
    importFile: async (file: File) => {
      const parsed = botFile.safeParse(await readJson(file));
      if (!parsed.success) return toast.failed(t("chatbots.badFile", { name: file.name }));
      const bot = await importing.mutateAsync({ body: parsed.data });
      toast.done(t("chatbots.imported", { name: bot.name }), { text: t("chatbots.importedText") });
      return navigate(`/admin/chatbots/edit/${bot.id}`);
    },
  };
}

async function readJson(file: File): Promise<unknown> {
  try {
    return JSON.parse(await file.text());
  } catch {
    return null;
  }
}
