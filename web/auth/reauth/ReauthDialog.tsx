import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { IconBrandGoogleFilled, IconBuildingFortress, IconFingerprint } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { googleFailure, loginFailure } from "#web/auth/failures.ts";
import { OtherSignInMethods } from "#web/auth/login/OtherSignInMethods.tsx";
import { askForPasskey } from "#web/auth/passkey.ts";
import { Password } from "#web/auth/Password.tsx";
import { inWindow } from "#web/auth/popup.ts";
import { call } from "#web/core/api/api.ts";
import { ApiError } from "#web/core/api/http.ts";
import { issuesOf, messageOf } from "#web/core/api/messages.ts";
import { reauthPrompt } from "#web/core/session/reauth.ts";
import { useUser } from "#web/core/session/session.tsx";
import { useDelayedOpen } from "#web/core/dialog/useDelayedOpen.ts";
import { accounts, type ReauthInput, type ReauthMethod } from "#shared/account.ts";
import { REAUTH_MINUTES } from "#shared/users.ts";

/** "Confirm that it is you": what was about to happen goes on afterwards, and the form behind keeps what was typed. */
export function ReauthDialog() {
  const { t } = useTranslation();
  const { prompt, opened } = reauthPrompt.use();
  const shown = useDelayedOpen(opened);
  return (
    <Modal
      opened={shown}
      onClose={() => prompt?.answer(false)}
      title={t("account.reauth.title")}
      size={440}
      zIndex={300}
      closeOnEscape={false}
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": t("core.close") }}
    >
      {prompt && <Proof key={String(opened)} {...prompt} />}
    </Modal>
  );
}

function Proof({ ways, company, why, answer }: NonNullable<ReturnType<typeof reauthPrompt.get>["prompt"]>) {
  const { t } = useTranslation();
  const user = useUser();
  const [typed, setTyped] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState<ReauthMethod | null>(null);
  const field = ways.find((way) => way === "password" || way === "app");
  const send = (input: ReauthInput) => call(accounts.reauthenticate, { body: input });

  const run = async (way: ReauthMethod, work: () => Promise<unknown>) => {
    setBusy(way);
    setFault(null);
    setFailure(null);
    try {
      await work();
      answer(true);
    } catch (error) {
      const issues = issuesOf(error);
      const found = issues.password ?? issues.code;
      if (found) setFault(found);
      else
        setFailure(
          way === "google"
            ? googleFailure(error)
            : way === "company"
              ? loginFailure(error)
              : error instanceof ApiError
                ? messageOf(error)
                : t("auth.step.passkeyFailed"),
        );
      setBusy(null);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!typed.trim()) return setFault(t(field === "app" ? "auth.step.enterCode" : "account.factors.enterPassword"));
    void run(field ?? "password", () =>
      send(field === "app" ? { way: "app", code: typed } : { way: "password", password: typed }),
    );
  };
  const byPasskey = () => run("passkey", async () => send({ way: "passkey", response: await askForPasskey() }));
  const byWindow = (way: "google" | "company", provider: string, email?: string) =>
    run(way, () => inWindow({ provider, purpose: "reauth", ...(email && { email }) }, () => answer(true)));
  const others = (
    <>
      {ways.includes("passkey") && (
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
      {ways.includes("google") && (
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
          onClick={() => void byWindow("company", company.connectionId, user?.email)}
        >
          {t("account.reauth.company", { company: company.name })}
        </Button>
      )}
    </>
  );
  const shared = { "data-autofocus": true, value: typed, error: fault, disabled: busy !== null && busy !== field };
  return (
    <form onSubmit={submit} noValidate>
      <Text size="sm" c="dimmed" mb="md">
        {t(
          ways.length === 0 ? "account.reauth.none" : why === "final" ? "account.reauth.final" : "account.reauth.text",
          {
            minutes: REAUTH_MINUTES,
          },
        )}
      </Text>
      {/* Password managers look for whom the password is. */}
      <input type="text" name="username" autoComplete="username" value={user?.email ?? ""} readOnly hidden />
      {field === "password" && (
        <Password
          {...shared}
          label={t("account.factors.confirmPassword")}
          autoComplete="current-password"
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
      {field && ways.some((way) => way !== field) && <OtherSignInMethods>{others}</OtherSignInMethods>}
    </form>
  );
}
