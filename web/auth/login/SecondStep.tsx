import { Button, TextInput, UnstyledButton } from "@mantine/core";
import { IconFingerprint } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { AuthFrame } from "#web/auth/AuthFrame.tsx";
import classes from "#web/auth/AuthFrame.module.css";
import { loginErrorText } from "#web/auth/errorTexts.ts";
import { Notice } from "#web/auth/Notice.tsx";
import { OtherSignInMethods } from "#web/auth/login/OtherSignInMethods.tsx";
import { signInWithPasskey } from "#web/auth/passkey.ts";
import { ApiError, sendRequest, isCode } from "#web/core/http/http.ts";
import { issuesOf } from "#web/core/http/messages.ts";
import { useSession } from "#web/core/session/session.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { auth } from "#shared/auth/auth.ts";
import type { Reply } from "#shared/core/route.ts";

/** From this number of remaining recovery codes, suggest creating new ones. */
const FEW_CODES = 3;

export type Method = "app" | "passkey" | "recovery";
const leads = { app: "auth.step.lead", recovery: "auth.step.leadRecovery", passkey: "auth.step.leadPasskey" } as const;

/** Second step of a login: code of the authenticator app, passkey, or recovery code. */
export function SecondStep({ methods, onBack }: { methods: Method[]; onBack: () => void }) {
  const { t } = useTranslation();
  const { acceptGrant } = useSession();
  const navigate = useNavigate();
  const [method, setMethod] = useState<Method>(methods[0] ?? "app");
  const [code, setCode] = useState("");
  const [fieldError, setFieldError] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const others = methods.filter((other) => other !== method && other !== "passkey");

  const completeLogin = ({ recoveryCodes, ...grant }: Reply<typeof auth.secondStep>) => {
    acceptGrant(grant);
    if (recoveryCodes === undefined) return;
    const renew = { label: t("auth.step.newCodes"), run: () => void navigate("/account") };
    toast.done(t("auth.step.codesLeft", { count: recoveryCodes }), recoveryCodes <= FEW_CODES ? { action: renew } : {});
  };
  const run = async (work: () => Promise<Reply<typeof auth.secondStep>>) => {
    setBusy(true);
    setFieldError(null);
    setFailure(null);
    try {
      completeLogin(await work());
    } catch (error) {
      const issue = issuesOf(error).code;
      if (issue) setFieldError(issue);
      else setFailure(error instanceof ApiError ? loginErrorText(error) : t("auth.step.passkeyFailed"));
      if (isCode(error, "auth.secondFactorExpired")) setTimeout(onBack, 2500);
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (method === "passkey") return run(signInWithPasskey);
    if (!code.trim()) return setFieldError(t("auth.step.enterCode"));
    return run(() => sendRequest(auth.secondStep, { body: { method, code } }));
  };
  const switchTo = (next: Method) => {
    setMethod(next);
    setCode("");
    setFieldError(null);
  };

  return (
    <AuthFrame title={t("auth.step.title")} lead={t(leads[method])}>
      <Notice bad={failure} />
      <form className={classes.fields} onSubmit={(event) => void submit(event)} noValidate>
        {method !== "passkey" && (
          <TextInput
            key={method}
            size="md"
            autoFocus
            name="code"
            className={classes.code}
            spellCheck={false}
            autoCapitalize="characters"
            label={t(method === "app" ? "auth.step.code" : "auth.step.recoveryCode")}
            value={code}
            error={fieldError}
            autoComplete={method === "app" ? "one-time-code" : "off"}
            inputMode={method === "app" ? "numeric" : "text"}
            onChange={(change) => setCode(change.currentTarget.value)}
          />
        )}
        <Button
          type="submit"
          size="md"
          fullWidth
          loading={busy}
          leftSection={method === "passkey" && <IconFingerprint size={18} stroke={1.7} />}
        >
          {t(method === "passkey" ? "auth.step.passkey" : "auth.step.submit")}
        </Button>
      </form>
      {(others.length > 0 || (methods.includes("passkey") && method !== "passkey")) && (
        <OtherSignInMethods>
          {methods.includes("passkey") && method !== "passkey" && (
            <Button
              variant="default"
              size="md"
              fullWidth
              leftSection={<IconFingerprint size={18} stroke={1.7} />}
              onClick={() => void run(signInWithPasskey)}
            >
              {t("auth.step.passkey")}
            </Button>
          )}
          {others.map((other) => (
            <Button key={other} variant="default" size="md" fullWidth onClick={() => switchTo(other)}>
              {t(other === "app" ? "auth.step.useApp" : "auth.step.useRecovery")}
            </Button>
          ))}
        </OtherSignInMethods>
      )}
      <p className={classes.below}>
        <UnstyledButton className={classes.textLink} onClick={onBack}>
          {t("auth.step.back")}
        </UnstyledButton>
      </p>
    </AuthFrame>
  );
}
