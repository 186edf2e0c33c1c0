import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconBrandGoogleFilled, IconBuildingFortress, IconFingerprint } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { googleErrorText, loginErrorText } from "#web/auth/errorTexts.ts";
import { OtherSignInMethods } from "#web/auth/login/OtherSignInMethods.tsx";
import { requestPasskey } from "#web/auth/passkey.ts";
import { Password } from "#web/auth/Password.tsx";
import { DIGITS } from "#web/auth/pins/digits.ts";
import { openSignInWindow } from "#web/auth/popup.ts";
import { call } from "#web/core/api/api.ts";
import { Dialog } from "#web/core/dialog/Dialog.tsx";
import { ApiError } from "#web/core/http/http.ts";
import { issuesOf, messageOf } from "#web/core/http/messages.ts";
import { reauthPrompt } from "#web/core/session/reauth.ts";
import { useUser } from "#web/core/session/session.tsx";
import { accounts, type ReauthInput, type ReauthMethod } from "#shared/auth/account.ts";
import { MIN_PIN_DIGITS, pin } from "#shared/auth/pins.ts";
import { REAUTH_MINUTES } from "#shared/core/users.ts";

/** Reauthentication dialog. Afterwards the interrupted call continues; the form behind keeps its input. */
export function ReauthDialog() {
  const { t } = useTranslation();
  const { prompt, opened } = reauthPrompt.use();
  return (
    <Dialog
      opened={opened}
      onClose={() => prompt?.answer(false)}
      title={t("account.reauth.title")}
      size={440}
      zIndex={300}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      {prompt && <ReauthForm key={String(opened)} {...prompt} />}
    </Dialog>
  );
}

/** What each method that is typed asks for. */
const inputOf = {
  password: (typed: string): ReauthInput => ({ method: "password", password: typed }),
  pin: (typed: string): ReauthInput => ({ method: "pin", pin: typed }),
  app: (typed: string): ReauthInput => ({ method: "app", code: typed }),
};
const isTyped = (method: ReauthMethod): method is keyof typeof inputOf => method in inputOf;

const leads = { age: "account.reauth.text", final: "account.reauth.final" } as const;

function ReauthForm({ methods, company, reason, answer }: NonNullable<ReturnType<typeof reauthPrompt.get>["prompt"]>) {
  const { t } = useTranslation();
  const user = useUser();
  const [typed, setTyped] = useState("");
  const [fieldError, setFieldError] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState<ReauthMethod | null>(null);
  const field = methods.find((method) => isTyped(method));
  const send = (input: ReauthInput) => call(accounts.reauthenticate, { body: input });

  const errorText = (method: ReauthMethod, error: unknown) => {
    if (method === "google") return googleErrorText(error);
    if (method === "company") return loginErrorText(error);
    return error instanceof ApiError ? messageOf(error) : t("auth.step.passkeyFailed");
  };
  const run = async (method: ReauthMethod, work: () => Promise<unknown>) => {
    setBusy(method);
    setFieldError(null);
    setFailure(null);
    try {
      await work();
      answer(true);
    } catch (error) {
      const issues = issuesOf(error);
      const issue = issues.password ?? issues.pin ?? issues.code;
      if (issue) setFieldError(issue);
      else setFailure(errorText(method, error));
      setBusy(null);
    }
  };
  const missingText = (method: keyof typeof inputOf) => {
    if (method === "pin")
      return pin.safeParse(typed).success ? null : t("auth.pin.enterPin", { count: MIN_PIN_DIGITS });
    if (typed.trim()) return null;
    return t(method === "app" ? "auth.step.enterCode" : "account.factors.enterPassword");
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!field) return;
    const missing = missingText(field);
    if (missing) return setFieldError(missing);
    void run(field, () => send(inputOf[field](typed)));
  };
  const byPasskey = () => run("passkey", async () => send({ method: "passkey", response: await requestPasskey() }));
  const byWindow = (method: "google" | "company", provider: string, email?: string) =>
    run(method, () => openSignInWindow({ provider, purpose: "reauth", ...(email && { email }) }, () => answer(true)));
  const others = (
    <>
      {methods.includes("passkey") && (
        <Button
          variant="default"
          fullWidth
          loading={busy === "passkey"}
          leftSection={<IconFingerprint size={18} stroke={1.7} />}
          onClick={() => void byPasskey()}
        >
          {t("auth.step.passkey")}
        </Button>
      )}
      {methods.includes("google") && (
        <Button
          variant="default"
          fullWidth
          loading={busy === "google"}
          leftSection={<IconBrandGoogleFilled size={17} />}
          onClick={() => void byWindow("google", "google")}
        >
          {t("account.reauth.google")}
        </Button>
      )}
      {company && (
        <Button
          variant="default"
          fullWidth
          loading={busy === "company"}
          leftSection={<IconBuildingFortress size={18} stroke={1.7} />}
          onClick={() => void byWindow("company", company.connectionId, user?.email ?? undefined)}
        >
          {t("account.reauth.company", { company: company.name })}
        </Button>
      )}
    </>
  );
  const shared = { "data-autofocus": true, value: typed, error: fieldError, disabled: busy !== null && busy !== field };
  return (
    <form onSubmit={submit} noValidate>
      <Text size="sm" c="dimmed" mb="md">
        {t(methods.length === 0 ? "account.reauth.noMethod" : leads[reason], { minutes: REAUTH_MINUTES })}
      </Text>
      {/* For password managers */}
      <input type="text" name="username" autoComplete="username" value={user?.email ?? ""} readOnly hidden />
      {field === "password" && (
        <Password
          {...shared}
          label={t("account.factors.confirmPassword")}
          autoComplete="current-password"
          onChange={(change) => setTyped(change.currentTarget.value)}
        />
      )}
      {field === "pin" && (
        <Password
          {...shared}
          {...DIGITS}
          label={t("account.pin.yours")}
          onChange={(change) => setTyped(change.currentTarget.value)}
        />
      )}
      {field === "app" && (
        <TextInput
          {...shared}
          name="code"
          label={t("account.app.code")}
          autoComplete="one-time-code"
          inputMode="numeric"
          spellCheck={false}
          onChange={(change) => setTyped(change.currentTarget.value)}
        />
      )}
      {!field && <Stack gap="xs">{others}</Stack>}
      {failure && (
        <Text c="var(--ly-bad)" size="sm" mt="md" role="alert">
          {failure}
        </Text>
      )}
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={() => answer(false)}>
          {t("account.reauth.keep")}
        </Button>
        {field && (
          <Button type="submit" loading={busy === field}>
            {t("account.reauth.verb")}
          </Button>
        )}
      </Group>
      {field && methods.some((method) => method !== field) && <OtherSignInMethods>{others}</OtherSignInMethods>}
    </form>
  );
}
