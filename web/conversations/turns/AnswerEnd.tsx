import { Button } from "@mantine/core";
import { IconAlertCircle, IconHourglass, IconWifiOff } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Chat } from "#web/conversations/chat.ts";
import classes from "#web/conversations/transcript.module.css";
import type { PublicBot } from "#shared/chatbots/chatbots.ts";
import { isOpenState, type Turn } from "#shared/conversations/conversations.ts";

type Props = { chat: Chat; bot: PublicBot; turn: Turn; isLast: boolean; isConnected: boolean };

/** Says that an answer failed, ended early or lost its connection, with the action to take. */
export function AnswerEnd({ chat, bot: { name, pedagogy }, turn, isLast, isConnected }: Props) {
  const { t } = useTranslation();
  const { state, code, text } = turn;
  const retry =
    isLast && pedagogy !== "scene" ? (
      <Button variant="default" size="compact-md" onClick={() => void chat.regenerate(turn)}>
        {t("chat.states.retry")}
      </Button>
    ) : null;
  if (isOpenState(state) && !isConnected) {
    const key = navigator.onLine ? "serverAnswer" : "answer";
    return (
      <Note kind="warn" icon={<IconWifiOff size={18} stroke={1.7} />}>
        {t(`chat.offline.${key}`, { name })}
      </Note>
    );
  }
  if (state === "failed") {
    const cause = causeOf(code);
    // The same conversation would be too long again.
    const next =
      cause === "too_long" ? (
        <Button variant="default" size="compact-md" onClick={() => void chat.startNew()}>
          {t("chat.ended.again")}
        </Button>
      ) : (
        retry
      );
    return (
      <Note kind="bad" icon={<IconAlertCircle size={18} stroke={1.7} />} action={next}>
        <strong>{t("chat.states.failedTitle", { name })}</strong>{" "}
        {cause ? t(`chat.states.failures.${cause}`) : t("chat.states.failed")}
      </Note>
    );
  }
  if (state === "cut")
    return (
      <Note kind="warn" icon={<IconAlertCircle size={18} stroke={1.7} />} action={retry}>
        {t("chat.states.cut")}
      </Note>
    );
  if (state === "limited")
    return (
      <Note kind="info" icon={<IconHourglass size={18} stroke={1.7} />}>
        {text ? (
          <>
            <strong>{t("chat.states.limitTitle")}</strong> {text}
          </>
        ) : (
          t("chat.states.budget")
        )}
      </Note>
    );
  if (state === "stopped")
    return (
      <Note kind="quiet" action={retry}>
        {t("chat.states.stopped")}
      </Note>
    );
  return code === "length" ? <Note kind="quiet">{t("chat.states.length")}</Note> : null;
}

/** What a person is told of the error of a call; the rest is for admins. */
function causeOf(code: string | null) {
  if (code === "too_long" || code === "empty") return code;
  return code === "busy" || code === "too_many" ? "busy" : null;
}

type NoteProps = { kind: "warn" | "bad" | "info" | "quiet"; icon?: ReactNode; action?: ReactNode; children: ReactNode };
export const Note = ({ kind, icon, action, children }: NoteProps) => (
  <div className={classes.note} data-kind={kind} role="status">
    {icon}
    <p>{children}</p>
    {action}
  </div>
);
