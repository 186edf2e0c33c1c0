import { Button, TextInput } from "@mantine/core";
import { useSuspenseQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { AuthFrame } from "#web/auth/AuthFrame.tsx";
import classes from "#web/auth/AuthFrame.module.css";
import { CompanyCard } from "#web/auth/register/CompanyCard.tsx";
import { focusFirst } from "#web/auth/focusFirst.ts";
import { Notice } from "#web/auth/Notice.tsx";
import { checkNewPassword, NewPassword } from "#web/auth/NewPassword.tsx";
import { useRegistration } from "#web/auth/register/useRegistration.ts";
import { sendRequest, isStatus } from "#web/core/http/http.ts";
import { auth } from "#shared/auth/auth.ts";
import type { Reply } from "#shared/core/route.ts";

/** /register for invited people: the email is fixed, name and password are entered. */
export function InvitationPage({ token }: { token: string }) {
  const { t } = useTranslation();
  const query = useSuspenseQuery({
    queryKey: ["invitation", token],
    queryFn: () => sendRequest(auth.invitation, { params: { token } }).catch(orInvalid),
  });
  if (!("invalid" in query.data)) return <InvitationForm token={token} invitation={query.data} />;
  return (
    <AuthFrame title={t("auth.invitation.invalidTitle")} lead={query.data.invalid}>
      <Button component={Link} to="/register" variant="default" size="md">
        {t("auth.invitation.register")}
      </Button>
    </AuthFrame>
  );
}

const orInvalid = (error: unknown) => {
  if (isStatus(error, 404)) return { invalid: error.message };
  throw error;
};

function InvitationForm({ token, invitation }: { token: string; invitation: Reply<typeof auth.invitation> }) {
  const { t } = useTranslation();
  const [name, setName] = useState(invitation.name);
  const [password, setPassword] = useState("");
  const { state, failure, fieldErrors, register } = useRegistration(() =>
    sendRequest(auth.acceptInvitation, { params: { token }, body: { name: name.trim(), password } }),
  );
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const element = event.currentTarget;
    const invalidFields = await register({
      ...(!name.trim() && { name: t("auth.register.enterName") }),
      ...checkNewPassword(password, { name, email: invitation.email }),
    });
    focusFirst(element, invalidFields);
  };

  return (
    <AuthFrame
      title={t("auth.invitation.title", { company: invitation.company })}
      lead={t(invitation.role === "admin" ? "auth.invitation.leadAdmin" : "auth.invitation.lead")}
    >
      <Notice bad={failure} good={state === "done" ? t("auth.register.done") : null} />
      <form className={classes.fields} onSubmit={submit} noValidate>
        <CompanyCard name={invitation.company} color={invitation.color} />
        <TextInput
          size="md"
          label={t("auth.register.email")}
          name="email"
          autoComplete="username"
          value={invitation.email}
          readOnly
          styles={{ input: { background: "var(--ly-sunken)" } }}
        />
        <TextInput
          size="md"
          label={t("auth.register.name")}
          name="name"
          autoComplete="name"
          value={name}
          error={fieldErrors.name}
          onChange={(change) => setName(change.currentTarget.value)}
        />
        <NewPassword
          size="md"
          label={t("auth.register.password")}
          value={password}
          error={fieldErrors.password}
          onChange={(change) => setPassword(change.currentTarget.value)}
        />
        <Button type="submit" size="md" fullWidth loading={state === "busy"} disabled={state === "done"}>
          {t("auth.invitation.submit")}
        </Button>
      </form>
    </AuthFrame>
  );
}
