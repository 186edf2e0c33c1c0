import { Button } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useSearchParams } from "react-router";
import { AuthFrame } from "#web/auth/AuthFrame.tsx";
import classes from "#web/auth/AuthFrame.module.css";
import { loginErrorText } from "#web/auth/errorTexts.ts";
import { focusFirst } from "#web/auth/focusFirst.ts";
import { Notice } from "#web/auth/Notice.tsx";
import { checkNewPassword, NewPassword, weakPasswordText } from "#web/auth/NewPassword.tsx";
import { useTokenLink } from "#web/auth/useTokenLink.ts";
import { sendRequest, isCode, isStatus } from "#web/core/http/http.ts";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";
import { auth } from "#shared/auth/auth.ts";

const readReset = (token: string) => sendRequest(auth.reset, { params: { token } });

/** /reset-password?token=TOKEN: sets a new password. */
export function ResetPasswordPage() {
  const { t } = useTranslation();
  const [search] = useSearchParams();
  const token = search.get("token") ?? "none";
  const { details, invalid, failure } = useTokenLink(readReset, token);
  if (details) return <ResetForm token={token} name={details.name} email={details.email} />;
  if (!invalid && !failure) return <PageSkeleton />;
  return (
    <AuthFrame
      title={t(invalid ? "auth.reset.invalidTitle" : "auth.reset.title")}
      lead={invalid ?? loginErrorText(failure)}
    >
      <Button component={Link} to="/forgot-password" variant="default" size="md">
        {t("auth.reset.requestLink")}
      </Button>
    </AuthFrame>
  );
}

function ResetForm({ token, name, email }: { token: string; name: string; email: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [password, setPassword] = useState("");
  const [fieldError, setFieldError] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    setFailure(null);
    const problem = checkNewPassword(password, { name, email }).password;
    setFieldError(problem ?? null);
    if (problem) return focusFirst(form, ["password"]);
    setBusy(true);
    try {
      await sendRequest(auth.setPassword, { params: { token }, body: { password } });
      await navigate("/login?reset=done", { replace: true, state: { email } });
    } catch (error) {
      setBusy(false);
      if (!isCode(error, "auth.passwordWeak"))
        return setFailure(isStatus(error, 404) ? error.message : loginErrorText(error));
      setFieldError(weakPasswordText(error) ?? error.message);
      focusFirst(form, ["password"]);
    }
  };
  return (
    <AuthFrame title={t("auth.reset.title")} lead={t("auth.reset.lead", { email })}>
      <Notice bad={failure} />
      <form className={classes.fields} onSubmit={(event) => void submit(event)} noValidate>
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <NewPassword
          size="md"
          label={t("auth.reset.password")}
          value={password}
          error={fieldError}
          onChange={(change) => setPassword(change.currentTarget.value)}
        />
        <Button type="submit" size="md" fullWidth loading={busy}>
          {t("auth.reset.submit")}
        </Button>
      </form>
    </AuthFrame>
  );
}
