import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { confirm } from "#web/core/dialog/confirm.ts";

/** Asks before opening a conversation of which only a quote without a name was shown, because it shows the person. */
export function useOpenConversation() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (path: string) =>
    confirm({
      title: t("analysis.reveal.title"),
      text: t("analysis.reveal.text"),
      confirmLabel: t("analysis.reveal.open"),
      cancelLabel: t("analysis.reveal.cancel"),
      onConfirm: () => navigate(path),
    });
}
