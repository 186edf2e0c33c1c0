import { Button, TextInput } from "@mantine/core";
import { IconBrandGoogleFilled, IconBuilding, IconFingerprint } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import { AuthFrame } from "#web/auth/AuthFrame.tsx";
import classes from "#web/auth/AuthFrame.module.css";
import { focusFirst } from "#web/auth/focusFirst.ts";
import { Notice } from "#web/auth/Notice.tsx";
import { OtherSignInMethods } from "#web/auth/login/OtherSignInMethods.tsx";
import { Password } from "#web/auth/Password.tsx";
import { ResendConfirmation } from "#web/auth/register/ResendConfirmation.tsx";
import type { Method } from "#web/auth/login/SecondStep.tsx";
import { useLogin } from "#web/auth/login/useLogin.ts";
import { useLoginNotice } from "#web/auth/login/useLoginNotice.ts";
import { useSsoOffer } from "#web/auth/login/useSsoOffer.ts";
import { useGoogleOffered } from "#web/auth/login/useSignInMethods.ts";

/** Login with email and password, Google, a passkey, or the single sign-on of the email's domain. */
export function LoginForm({ onStep }: { onStep: (methods: Method[]) => void }) {
  const { t } = useTranslation();
  const googleOffered = useGoogleOffered();
  const { offer, lookUp, offerOf } = useSsoOffer();
  const { failure, code, busy, waiting, run, signInByPassword, signInByPopup, signInByPasskey } = useLogin({
    onStep,
    onOffer: offerOf,
  });
  const { state } = useLocation() as { state: { email?: string } | null };
  const [form, setForm] = useState({ email: state?.email ?? "", password: "" });
  const [missing, setMissing] = useState<{ email?: string; password?: string }>({});
  const notice = useLoginNotice();

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (offer?.enforced) return signInByPopup(offer.connectionId, form.email.trim());
    const empty = {
      ...(!form.email.trim() && { email: t("auth.login.enterEmail") }),
      ...(!form.password && { password: t("auth.login.enterPassword") }),
    };
    setMissing(empty);
    if (Object.keys(empty).length > 0) return focusFirst(event.currentTarget, Object.keys(empty));
    return signInByPassword({ email: form.email.trim(), password: form.password });
  };

  const initialNotice = failure ? null : notice;
  const success = waiting ? t("auth.login.waiting") : initialNotice;

  return (
    <AuthFrame title={t("auth.login.title")} lead={t("auth.login.lead")}>
      <Notice bad={failure} good={success} />
      {code === "auth.emailVerificationPending" && <ResendConfirmation email={form.email.trim()} />}
      {code === "auth.tooManyAttempts" && (
        <p className={classes.below}>
          <Link to="/forgot-password" state={{ email: form.email.trim() }}>
            {t("auth.login.resetByEmail")}
          </Link>
        </p>
      )}
      <form className={classes.fields} onSubmit={(event) => void submit(event)} noValidate>
        <TextInput
          size="md"
          label={t("auth.login.email")}
          type="email"
          name="email"
          autoComplete="username"
          value={form.email}
          error={missing.email}
          onChange={(change) => {
            setForm({ ...form, email: change.currentTarget.value });
            lookUp(change.currentTarget.value);
          }}
        />
        <div aria-live="polite" hidden={!offer}>
          {offer && (
            <div className={classes.offer}>
              <p>{t("auth.login.companyText", { company: offer.company })}</p>
              <Button
                size="md"
                fullWidth
                type={offer.enforced ? "submit" : "button"}
                variant={offer.enforced ? "filled" : "default"}
                leftSection={<IconBuilding size={18} stroke={1.7} />}
                {...(!offer.enforced && { onClick: () => signInByPopup(offer.connectionId, form.email.trim()) })}
              >
                {t("auth.login.company", { company: offer.company })}
              </Button>
            </div>
          )}
        </div>
        {!offer?.enforced && (
          <>
            <div className={classes.labelled}>
              <Password
                size="md"
                label={t("auth.login.password")}
                autoComplete="current-password"
                value={form.password}
                error={missing.password}
                onChange={(change) => setForm({ ...form, password: change.currentTarget.value })}
              />
              <Link to="/forgot-password" className={classes.aside}>
                {t("auth.login.forgot")}
              </Link>
            </div>
            <Button type="submit" size="md" fullWidth loading={busy}>
              {t("auth.login.submit")}
            </Button>
          </>
        )}
      </form>
      {!offer?.enforced && (
        <OtherSignInMethods>
          {googleOffered && (
            <Button
              variant="default"
              size="md"
              fullWidth
              leftSection={<IconBrandGoogleFilled size={17} />}
              onClick={() => signInByPopup("google")}
            >
              {t("auth.login.google")}
            </Button>
          )}
          <Button
            variant="default"
            size="md"
            fullWidth
            leftSection={<IconFingerprint size={18} stroke={1.7} />}
            onClick={() => run(signInByPasskey)}
          >
            {t("auth.login.passkey")}
          </Button>
        </OtherSignInMethods>
      )}
      <p className={classes.below}>
        {t("auth.login.haveCode")} <Link to="/register">{t("auth.login.createAccount")}</Link>
      </p>
      <p className={classes.below}>
        <Link to="/login/pin">{t("auth.pin.link")}</Link>
      </p>
    </AuthFrame>
  );
}
