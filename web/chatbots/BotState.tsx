import { useTranslation } from "react-i18next";
import { StatusDot, type Tone } from "#web/core/display/StatusDot.tsx";
import type { Chatbot } from "#shared/chatbots/chatbots.ts";

const tones: Record<Chatbot["status"], Tone> = { draft: "idle", published: "ok", paused: "warn", archived: "idle" };

/** Whether a chatbot answers, and with which version. */
export function BotState({ bot: { status, live } }: { bot: Pick<Chatbot, "status" | "live"> }) {
  const { t } = useTranslation();
  return (
    <StatusDot tone={tones[status]}>
      {status === "published" && live
        ? t("chatbots.versionNumber", { number: live.number })
        : t(`chatbots.is.${status}`)}
    </StatusDot>
  );
}
