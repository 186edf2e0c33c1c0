import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useSearchParams } from "react-router";
import { AuthFrame } from "#web/auth/AuthFrame.tsx";
import classes from "#web/auth/AuthFrame.module.css";
import { loginErrorText } from "#web/auth/errorTexts.ts";
import { Notice } from "#web/auth/Notice.tsx";
import { useTokenLink } from "#web/auth/useTokenLink.ts";
import { sendRequest, isStatus } from "#web/core/http/http.ts";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";
import { auth } from "#shared/auth/auth.ts";

const readConfirmation = (token: string) => sendRequest(auth.confirmation, { params: { token } });

/**
 * /confirm-email?token=TOKEN. Opening the link has no effect, because email scanners open links too; the buttons do.
 */
export function ConfirmEmailPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const token = search.get("token") ?? "none";
  const { details, invalid, failure } = useTokenLink(readConfirmation, token);
  const [errorText, setErrorText] = useState<string | null>(null);
  const [busy, setBusy] = useState<"mine" | "other" | null>(null);
  const answer = async (isMine: boolean) => {
    setBusy(isMine ? "mine" : "other");
    try {
      await sendRequest(auth.answerConfirmation, { params: { token }, body: { mine: isMine } });
      await navigate(`/login?confirmed=${isMine}`, { replace: true });
    } catch (error) {
      setErrorText(isStatus(error, 404) ? error.message : loginErrorText(error));
      setBusy(null);
    }
  };
  if (!details && !invalid && !failure) return <PageSkeleton />;
  if (!details) {
    return (
      <AuthFrame title={t("auth.confirm.invalidTitle")} lead={invalid ?? loginErrorText(failure)}>
        <Button component={Link} to="/login" variant="default" size="md">
          {t("auth.confirm.login")}
        </Button>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title={t("auth.confirm.title")} lead={t("auth.confirm.lead", details)}>
      <Notice bad={errorText} />
      <div className={classes.fields}>
        <Button
          size="md"
          fullWidth
          loading={busy === "mine"}
          disabled={busy === "other"}
          onClick={() => void answer(true)}
        >
          {t("auth.confirm.mine")}
        </Button>
        <Button
          size="md"
          fullWidth
          variant="default"
          loading={busy === "other"}
          disabled={busy === "mine"}
          onClick={() => void answer(false)}
        >
          {t("auth.confirm.other")}
        </Button>
      </div>
      <p className={classes.quiet}>{t("auth.confirm.otherHint")}</p>
    </AuthFrame>
  );
}
