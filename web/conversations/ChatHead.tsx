import { IconArrowLeft, IconDownload, IconHistory, IconMessagePlus, IconX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { BotMark } from "#web/conversations/BotMark.tsx";
import type { ShownTurn } from "#web/conversations/branch.ts";
import type { Chat } from "#web/conversations/chat.ts";
import { kindOf } from "#web/conversations/botKind.ts";
import { saveTranscript } from "#web/conversations/saveTranscript.ts";
import classes from "#web/conversations/chat.module.css";
import type { PublicBot } from "#shared/chatbots/chatbots.ts";

type Props = {
  chat: Chat;
  bot: PublicBot;
  branch: ShownTurn[];
  isPage: boolean;
  back: string | null;
  onHistory: (() => void) | undefined;
  onClose: (() => void) | undefined;
};

export function ChatHead({ chat, bot, branch, isPage, back, onHistory, onClose }: Props) {
  const { t } = useTranslation();
  const Name = isPage ? "h1" : "h2";
  const hasTurns = branch.some(({ turn }) => turn.role === "user");
  return (
    <header className={classes.head}>
      {back && (
        <Link
          to={back}
          className={classes.headButton}
          aria-label={t("chat.actions.back")}
          title={t("chat.actions.back")}
        >
          <IconArrowLeft size={20} stroke={1.7} />
        </Link>
      )}
      <BotMark color={bot.color} />
      <div className={classes.names}>
        <Name className={classes.name}>{bot.name}</Name>
        <p className={classes.line}>{t(`chat.line.${kindOf(bot)}`)}</p>
      </div>
      {hasTurns && (
        <HeadButton label={t("chat.actions.new")} onClick={() => void chat.startNew()}>
          <IconMessagePlus size={20} stroke={1.7} />
        </HeadButton>
      )}
      {onHistory && (
        <HeadButton label={t("chat.actions.history")} onClick={onHistory}>
          <IconHistory size={20} stroke={1.7} />
        </HeadButton>
      )}
      {hasTurns && (
        <HeadButton
          label={t("chat.actions.download")}
          onClick={() => saveTranscript(bot.name, branch, t("chat.you"), t("chat.spoken"))}
        >
          <IconDownload size={20} stroke={1.7} />
        </HeadButton>
      )}
      {onClose && (
        <HeadButton label={t("chat.actions.close")} onClick={onClose}>
          <IconX size={20} stroke={1.7} />
        </HeadButton>
      )}
    </header>
  );
}

type HeadButtonProps = { label: string; onClick: () => void; children: React.ReactNode };
export const HeadButton = ({ label, onClick, children }: HeadButtonProps) => (
  <button type="button" className={classes.headButton} aria-label={label} title={label} onClick={onClick}>
    {children}
  </button>
);
