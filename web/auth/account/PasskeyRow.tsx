import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import { AccountRow } from "#web/auth/account/AccountRow.tsx";
import { ConfirmPasswordDialog } from "#web/auth/reauth/ConfirmPasswordDialog.tsx";
import { useApiMutation } from "#web/core/api/api.ts";
import { Time } from "#web/core/display/Time.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { accounts, type Account } from "#shared/auth/account.ts";

export function PasskeyRow({ passkey, askPassword }: { passkey: Account["passkeys"][number]; askPassword: boolean }) {
  const { t } = useTranslation();
  const [removing, remove] = useDisclosure();
  const send = useApiMutation(accounts.removePasskey, { quiet: true });
  const { id, name, createdAt, lastUsedAt } = passkey;
  return (
    <>
      <AccountRow
        name={name}
        text={
          <>
            {t("account.passkeys.addedOn")} <Time at={createdAt} />,{" "}
            {lastUsedAt ? (
              <>
                {t("account.passkeys.lastUsed")} <Time at={lastUsedAt} />
              </>
            ) : (
              t("account.passkeys.never")
            )}
          </>
        }
      >
        <Button variant="default" aria-label={`${t("account.passkeys.remove")} ${name}`} onClick={remove.open}>
          {t("account.passkeys.remove")}
        </Button>
      </AccountRow>
      <ConfirmPasswordDialog
        askPassword={askPassword}
        opened={removing}
        onClose={remove.close}
        danger
        title={t("account.passkeys.removeTitle", { name })}
        text={t("account.passkeys.removeText")}
        verb={t("account.passkeys.remove")}
        keep={t("account.passkeys.keep")}
        onConfirm={async (confirmation) => {
          await send.mutateAsync({ params: { id }, body: confirmation });
          toast.done(t("account.passkeys.removed"));
        }}
      />
    </>
  );
}
