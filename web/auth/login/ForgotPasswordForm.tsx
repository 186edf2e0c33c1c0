import { Button, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useNavigate } from "react-router";
import { AuthFrame } from "#web/auth/AuthFrame.tsx";
import classes from "#web/auth/AuthFrame.module.css";
import { loginErrorText } from "#web/auth/errorTexts.ts";
import { focusFirst } from "#web/auth/focusFirst.ts";
import { Notice } from "#web/auth/Notice.tsx";
import { sendRequest } from "#web/core/http/http.ts";
import { issuesOf } from "#web/core/http/messages.ts";
import { auth } from "#shared/auth/auth.ts";

/** /forgot-password: requests the email, then returns to the login page. */
export function ForgotPasswordForm() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { state } = useLocation() as { state: { email?: string } | null };
  const [email, setEmail] = useState(state?.email ?? "");
  const [fieldError, setFieldError] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    setFailure(null);
    setFieldError(email.trim() ? null : t("auth.login.enterEmail"));
    if (!email.trim()) return focusFirst(form, ["email"]);
    setBusy(true);
    try {
      await sendRequest(auth.requestReset, { body: { email: email.trim() } });
      await navigate("/login?reset=sent");
    } catch (error) {
      setBusy(false);
      if (!issuesOf(error).email) return setFailure(loginErrorText(error));
      setFieldError(t("auth.login.badEmail"));
      focusFirst(form, ["email"]);
    }
  };
  return (
    <AuthFrame title={t("auth.forgot.title")} lead={t("auth.forgot.lead")}>
      <Notice bad={failure} />
      <form className={classes.fields} onSubmit={(event) => void submit(event)} noValidate>
        <TextInput
          size="md"
          label={t("auth.login.email")}
          type="email"
          name="email"
          autoComplete="username"
          value={email}
          error={fieldError}
          onChange={(change) => setEmail(change.currentTarget.value)}
        />
        <Button type="submit" size="md" fullWidth loading={busy}>
          {t("auth.forgot.submit")}
        </Button>
      </form>
      <p className={classes.below}>
        <Link to="/login">{t("auth.forgot.back")}</Link>
      </p>
    </AuthFrame>
  );
}
