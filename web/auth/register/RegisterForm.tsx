import { Button, TextInput } from "@mantine/core";
import { IconBrandGoogleFilled } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ChangeEvent, type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { AuthFrame } from "#web/auth/AuthFrame.tsx";
import classes from "#web/auth/AuthFrame.module.css";
import { CompanyCard } from "#web/auth/register/CompanyCard.tsx";
import { googleRegistrationErrorText } from "#web/auth/errorTexts.ts";
import { focusFirst } from "#web/auth/focusFirst.ts";
import { Notice } from "#web/auth/Notice.tsx";
import { OtherSignInMethods } from "#web/auth/login/OtherSignInMethods.tsx";
import { checkNewPassword, NewPassword } from "#web/auth/NewPassword.tsx";
import { openSignInWindow } from "#web/auth/popup.ts";
import { useRegistration } from "#web/auth/register/useRegistration.ts";
import { useGoogleOffered } from "#web/auth/login/useSignInMethods.ts";
import { queryFor } from "#web/core/api/api.ts";
import { sendRequest } from "#web/core/http/http.ts";
import { auth } from "#shared/auth/auth.ts";
import { CODE_LENGTH, normaliseCode } from "#shared/companies/companies.ts";

/** Registration with name, email, password and access code. A complete code shows its company. */
export function RegisterForm({ code }: { code: string }) {
  const { t } = useTranslation();
  const [form, setForm] = useState({ name: "", email: "", password: "", accessCode: code });
  const typed = normaliseCode(form.accessCode);
  const preview = useQuery({
    ...queryFor(auth.previewCode, { params: { code: typed } }),
    enabled: typed.length === CODE_LENGTH,
    retry: false,
  });
  const company = typed.length === CODE_LENGTH ? preview.data : undefined;

  const { state, failure, fieldErrors, register } = useRegistration(() =>
    sendRequest(auth.register, {
      body: {
        name: form.name.trim(),
        email: form.email.trim(),
        password: form.password,
        ...(typed && { accessCode: typed }),
      },
    }),
  );
  const google = useGoogleOffered();
  const byGoogle = useRegistration(
    () =>
      openSignInWindow({ provider: "google", purpose: "register", ...(typed && { accessCode: typed }) }, () =>
        location.assign("/login?registered=true"),
      ),
    googleRegistrationErrorText,
  );
  const errors = { ...fieldErrors, ...byGoogle.fieldErrors };
  const field = (name: keyof typeof form) => ({
    name,
    size: "md",
    value: form[name],
    error: errors[name],
    onChange: (change: ChangeEvent<HTMLInputElement>) => setForm({ ...form, [name]: change.currentTarget.value }),
  });
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const element = event.currentTarget;
    const invalidFields = await register({
      ...(!form.name.trim() && { name: t("auth.register.enterName") }),
      ...(!form.email.trim() && { email: t("auth.register.enterEmail") }),
      ...checkNewPassword(form.password, form),
    });
    focusFirst(element, invalidFields);
  };

  const isDone = state === "done" || byGoogle.state === "done";
  const done = isDone ? t("auth.register.done") : null;
  const progress = byGoogle.state === "busy" ? t("auth.login.waiting") : done;

  return (
    <AuthFrame title={t("auth.register.title")} lead={t("auth.register.lead")}>
      <Notice bad={failure ?? byGoogle.failure} good={progress} />
      <form className={classes.fields} onSubmit={submit} noValidate>
        <TextInput
          {...field("accessCode")}
          label={t("auth.register.code")}
          description={t("auth.register.codeHint")}
          className={classes.code}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          error={
            errors.accessCode ??
            (preview.error?.status === 404 && typed.length === CODE_LENGTH ? preview.error.message : undefined)
          }
        />
        <div aria-live="polite">{company && <CompanyCard {...company} />}</div>
        <TextInput {...field("name")} label={t("auth.register.name")} autoComplete="name" />
        <TextInput {...field("email")} label={t("auth.register.email")} type="email" autoComplete="email" />
        <NewPassword {...field("password")} label={t("auth.register.password")} />
        <Button type="submit" size="md" fullWidth loading={state === "busy"} disabled={state === "done"}>
          {t("auth.register.submit")}
        </Button>
      </form>
      {google && (
        <OtherSignInMethods>
          <Button
            variant="default"
            size="md"
            fullWidth
            leftSection={<IconBrandGoogleFilled size={17} />}
            disabled={byGoogle.state === "done"}
            onClick={() => void byGoogle.register({})}
          >
            {t("auth.register.google")}
          </Button>
          <p className={classes.quiet}>{t("auth.register.googleHint")}</p>
        </OtherSignInMethods>
      )}
      <p className={classes.below}>
        {t("auth.register.haveAccount")} <Link to="/login">{t("auth.register.login")}</Link>
      </p>
    </AuthFrame>
  );
}
