import type { TextInputProps } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Password } from "#web/auth/Password.tsx";
import { i18n } from "#web/core/i18n.ts";
import { isWeakPassword, MIN_PASSWORD_CHARS, type PasswordOwner } from "#shared/auth/auth.ts";

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

/** Message about a new password that is missing or breaks a rule, by field name; empty if the browser finds no fault. */
export function checkNewPassword(password: string, owner: PasswordOwner): { password?: string } {
  if (!password) return { password: i18n.t("auth.register.enterPassword") };
  return isWeakPassword(password, owner) ? { password: i18n.t("auth.newPassword.weak") } : {};
}
