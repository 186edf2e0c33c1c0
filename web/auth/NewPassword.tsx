import type { TextInputProps } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Password } from "#web/auth/Password.tsx";
import { i18n } from "#web/core/i18n.ts";
import { ApiError } from "#web/core/http/http.ts";
import {
  isWeakPassword,
  MIN_PASSWORD_CHARS,
  passwordWeakness,
  type PasswordOwner,
  type PasswordWeakness,
} from "#shared/auth/auth.ts";

/** A field for a new password, with the rules beside it. */
export function NewPassword(props: TextInputProps) {
  const { t } = useTranslation();
  return (
    <Password
      description={t("auth.newPassword.hint", { count: MIN_PASSWORD_CHARS })}
      autoComplete="new-password"
      {...props}
    />
  );
}

/**
 * Message about a new password that is missing or breaks a rule, by field name; empty if the browser finds no fault.
 */
export function checkNewPassword(password: string, owner: PasswordOwner): { password?: string } {
  if (!password) return { password: i18n.t("auth.register.enterPassword") };
  if (password.length < MIN_PASSWORD_CHARS) return { password: weakText("short") };
  return isWeakPassword(password, owner) ? { password: weakText("own") } : {};
}

const weakText = (weakness: PasswordWeakness) =>
  i18n.t("auth.newPassword.because", { reason: i18n.t(`auth.newPassword.reasons.${weakness}`) });

/** Why the server refuses a new password, and what to do; null for any other error. */
export function weakPasswordText(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null;
  const { data: weakness } = passwordWeakness.safeParse(error.details.weakness);
  return weakness ? weakText(weakness) : null;
}
