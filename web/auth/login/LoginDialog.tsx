import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconBrandGoogleFilled, IconBuilding, IconFingerprint } from "@tabler/icons-react";
import { type FormEvent, useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { loginErrorText } from "#web/auth/errorTexts.ts";
import { OtherSignInMethods } from "#web/auth/login/OtherSignInMethods.tsx";
import type { Method } from "#web/auth/login/SecondStep.tsx";
import { useLogin } from "#web/auth/login/useLogin.ts";
import { useGoogleOffered } from "#web/auth/login/useSignInMethods.ts";
import { useSsoOffer } from "#web/auth/login/useSsoOffer.ts";
import { Password } from "#web/auth/Password.tsx";
import { Dialog } from "#web/core/dialog/Dialog.tsx";
import { sendRequest } from "#web/core/http/http.ts";
import { answerLogin, loginPrompt } from "#web/core/session/loginPrompt.ts";
import { useSession } from "#web/core/session/session.tsx";
import { auth } from "#shared/auth/auth.ts";

/** Login over a page whose session has ended. Afterwards the failed calls are repeated; the page keeps its input. */
export function LoginDialog() {
  const { t } = useTranslation();
  const { user, opened } = loginPrompt.use();
  return (
    <Dialog
      opened={opened}
      onClose={() => {}}
      title={t("auth.again.title")}
      size={440}
      zIndex={310}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      {user?.email && <LoginAgainForm key={String(opened)} email={user.email} />}
      {user?.email === null && <PinAgain />}
    </Dialog>
  );
}

/** People who log in with a number do so on its page, which also accepts their card. */
function PinAgain() {
  const { t } = useTranslation();
  const leave = () => {
    answerLogin(false);
    location.assign("/login/pin");
  };
  return (
    <>
      <Text size="sm">{t("auth.device.again")}</Text>
      <Group justify="flex-end" mt="lg">
        <Button data-autofocus onClick={leave}>
          {t("auth.device.login")}
        </Button>
      </Group>
    </>
  );
}

function LoginAgainForm({ email }: { email: string }) {
  const { t } = useTranslation();
  const { acceptGrant } = useSession();
  const [typed, setTyped] = useState("");
  const [isMissing, setIsMissing] = useState(false);
  const [methods, setMethods] = useState<Method[] | null>(null);
  const { offer, lookUp, offerOf } = useSsoOffer();
  const isGoogleOffered = useGoogleOffered();
  const onStep = (next: Method[]) => {
    setMethods(next);
    setTyped("");
  };
  const login = useLogin({ onStep, onOffer: offerOf });
  const lookUpOnce = useEffectEvent(lookUp);
  useEffect(() => lookUpOnce(email), [email]);

  const codeMethod = methods?.find((method) => method !== "passkey");
  const asksCode = codeMethod !== undefined;
  const asksPassword = !methods && !offer?.enforced;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsMissing(!typed);
    if (!typed) return;
    if (codeMethod)
      return void login.run(async () => {
        const { recoveryCodes: _left, ...grant } = await sendRequest(auth.secondStep, {
          body: { method: codeMethod, code: typed },
        });
        acceptGrant(grant);
      });
    return void login.signInByPassword({ email, password: typed });
  };
  const field = {
    "data-autofocus": true,
    value: typed,
    onChange: (change: { currentTarget: { value: string } }) => setTyped(change.currentTarget.value),
  };
  const others = (
    <>
      {!methods && offer && (
        <Button
          variant="default"
          fullWidth
          leftSection={<IconBuilding size={18} stroke={1.7} />}
          onClick={() => void login.signInByPopup(offer.connectionId, email)}
        >
          {t("auth.login.company", { company: offer.company })}
        </Button>
      )}
      {!methods && isGoogleOffered && (
        <Button
          variant="default"
          fullWidth
          leftSection={<IconBrandGoogleFilled size={17} />}
          onClick={() => void login.signInByPopup("google")}
        >
          {t("auth.login.google")}
        </Button>
      )}
      {(!methods || methods.includes("passkey")) && (
        <Button
          variant="default"
          fullWidth
          leftSection={<IconFingerprint size={18} stroke={1.7} />}
          onClick={() => void login.run(login.signInByPasskey, loginErrorText)}
        >
          {t("auth.login.passkey")}
        </Button>
      )}
    </>
  );
  return (
    <form onSubmit={submit} noValidate>
      <Text size="sm" c="dimmed" mb="md">
        {methods ? t("auth.step.title") : t("auth.again.text", { email })}
      </Text>
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      {asksPassword && (
        <Password
          {...field}
          label={t("auth.login.password")}
          autoComplete="current-password"
          error={isMissing && t("auth.login.enterPassword")}
        />
      )}
      {asksCode && (
        <TextInput
          {...field}
          key={codeMethod}
          label={t(codeMethod === "app" ? "auth.step.code" : "auth.step.recoveryCode")}
          autoComplete="one-time-code"
          error={isMissing && t("auth.step.enterCode")}
        />
      )}
      {login.failure && (
        <Text c="var(--ly-bad)" size="sm" mt="md" role="alert">
          {login.failure}
        </Text>
      )}
      <Group justify="flex-end" mt="lg" mb="md" gap="xs">
        <Button variant="default" onClick={() => answerLogin(false)}>
          {t("auth.again.leave")}
        </Button>
        {(asksPassword || asksCode) && (
          <Button type="submit" loading={login.busy}>
            {t("auth.login.submit")}
          </Button>
        )}
      </Group>
      {asksPassword || asksCode ? <OtherSignInMethods>{others}</OtherSignInMethods> : <Stack gap="xs">{others}</Stack>}
    </form>
  );
}
