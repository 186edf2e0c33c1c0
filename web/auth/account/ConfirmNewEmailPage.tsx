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
import { useUser } from "#web/core/session/session.tsx";
import { refreshToken } from "#web/core/session/token.ts";
import { auth } from "#shared/auth/auth.ts";

const readChange = (token: string) => sendRequest(auth.emailChange, { params: { token } });

/** /confirm-new-email?token=TOKEN. Opening the link has no effect, because email scanners open links too. */
export function ConfirmNewEmailPage() {
  const { t } = useTranslation();
  const user = useUser();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const token = search.get("token") ?? "none";
  const { details, invalid, failure } = useTokenLink(readChange, token);
  const [errorText, setErrorText] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    try {
      await sendRequest(auth.confirmEmailChange, { params: { token } });
      if (user) await refreshToken();
      await navigate(user ? "/account" : "/login?newEmail=true", { replace: true });
    } catch (error) {
      setErrorText(isStatus(error, 404) || isStatus(error, 409) ? error.message : loginErrorText(error));
      setBusy(false);
    }
  };
  if (!details && !invalid && !failure) return <PageSkeleton />;
  if (!details) {
    return (
      <AuthFrame title={t("auth.newEmail.invalidTitle")} lead={invalid ?? loginErrorText(failure)}>
        <Button component={Link} to="/account" variant="default" size="md">
          {t("auth.newEmail.login")}
        </Button>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title={t("auth.newEmail.title")} lead={t("auth.newEmail.lead", details)}>
      <Notice bad={errorText} />
      <div className={classes.fields}>
        <Button size="md" fullWidth loading={isBusy} onClick={() => void confirm()}>
          {t("auth.newEmail.confirm")}
        </Button>
      </div>
    </AuthFrame>
  );
}
