import { Button, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/auth/account/Account.module.css";
import { EmailField } from "#web/auth/account/EmailField.tsx";
import { useApiMutation } from "#web/core/api/api.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { refreshToken } from "#web/core/session/token.ts";
import { accounts, type Account } from "#shared/auth/account.ts";

export function ProfileSection({ account }: { account: Account }) {
  const { t } = useTranslation();
  const [name, setName] = useState(account.name);
  const [nameError, setNameError] = useState<string | null>(null);
  const update = useApiMutation(accounts.update);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setNameError(name.trim() ? null : t("auth.register.enterName"));
    if (!name.trim()) return;
    await update.mutateAsync({ body: { name: name.trim() } });
    toast.done(t("account.profile.saved"));
    await refreshToken();
  };
  return (
    <Section title={t("account.profile.title")}>
      <form className={classes.form} noValidate onSubmit={(event) => void submit(event).catch(() => {})}>
        <TextInput
          label={t("account.profile.name")}
          name="name"
          autoComplete="name"
          maxLength={120}
          value={name}
          error={nameError}
          onChange={(change) => setName(change.currentTarget.value)}
        />
        <Button type="submit" loading={update.isPending} disabled={name.trim() === account.name}>
          {t("account.profile.save")}
        </Button>
      </form>
      <div className={classes.email}>
        <EmailField account={account} />
      </div>
    </Section>
  );
}
