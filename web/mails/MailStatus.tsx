import { useTranslation } from "react-i18next";
import { StatusDot } from "#web/core/display/StatusDot.tsx";
import type { Mail } from "#shared/mails/mails.ts";

const tones = { kept: "info", queued: "active", sent: "ok", failed: "bad" } as const;

export function MailStatus({ status }: Pick<Mail, "status">) {
  const { t } = useTranslation();
  return <StatusDot tone={tones[status]}>{t(`mails.is.${status}`)}</StatusDot>;
}
