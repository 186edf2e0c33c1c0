import { Button, Group, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ChangeEmailDialog } from "#web/auth/account/ChangeEmailDialog.tsx";
import { useApiMutation } from "#web/core/api/api.ts";
import { useUser } from "#web/core/session/session.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { accounts, type Account } from "#shared/auth/account.ts";
import { isAcademyAdmin } from "#shared/core/users.ts";

/** The email address. Admins of the academy can change their own, because nobody else can do it for them. */
export function EmailField({ account: { email, pendingEmail } }: { account: Account }) {
  const { t } = useTranslation();
  const user = useUser();
  const [isChanging, setChanging] = useState(false);
  const cancel = useApiMutation(accounts.cancelEmail);
  const canChange = isAcademyAdmin(user);
  if (email === null)
    return (
      <TextInput
        label={t("account.profile.number")}
        description={t("account.profile.numberHint")}
        value={user?.personnelNumber ?? ""}
        readOnly
        styles={{ input: { background: "var(--ly-sunken)" } }}
      />
    );
  return (
    <div>
      <TextInput
        label={t("account.profile.email")}
        description={canChange ? null : t("account.profile.emailHint")}
        value={email}
        readOnly
        styles={{ input: { background: "var(--ly-sunken)" } }}
      />
      {pendingEmail && (
        <Text size="sm" mt="xs" role="status">
          {t("account.newEmail.pending", { email: pendingEmail })}
        </Text>
      )}
      {canChange && (
        <Group gap="xs" mt="xs">
          <Button variant="default" onClick={() => setChanging(true)}>
            {t("account.newEmail.verb")}
          </Button>
          {pendingEmail && (
            <Button
              variant="subtle"
              loading={cancel.isPending}
              onClick={() =>
                void cancel.mutateAsync().then(
                  () => toast.done(t("account.newEmail.cancelled")),
                  () => {},
                )
              }
            >
              {t("account.newEmail.cancel")}
            </Button>
          )}
        </Group>
      )}
      {isChanging && <ChangeEmailDialog onClose={() => setChanging(false)} />}
    </div>
  );
}
