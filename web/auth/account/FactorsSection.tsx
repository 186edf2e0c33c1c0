import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDeviceMobile, IconFingerprint, IconLifebuoy } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/auth/account/Account.module.css";
import { AccountList, AccountRow } from "#web/auth/account/AccountRow.tsx";
import { TotpDialog } from "#web/auth/account/TotpDialog.tsx";
import { RecoveryCodesDialog } from "#web/auth/account/RecoveryCodesDialog.tsx";
import { PasskeyDialog } from "#web/auth/account/PasskeyDialog.tsx";
import { PasskeyRow } from "#web/auth/account/PasskeyRow.tsx";
import { ConfirmPasswordDialog } from "#web/auth/reauth/ConfirmPasswordDialog.tsx";
import { useApiMutation } from "#web/core/api/api.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { StatusDot } from "#web/core/display/StatusDot.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { accounts, type Account } from "#shared/auth/account.ts";

/** Authenticator app, recovery codes, passkeys. */
export function FactorsSection({ account }: { account: Account }) {
  const { t } = useTranslation();
  const [settingUp, setUp] = useDisclosure();
  const [removing, remove] = useDisclosure();
  const [renewing, renew] = useDisclosure();
  const [adding, add] = useDisclosure();
  const [codes, setCodes] = useState<string[] | null>(null);
  const removeApp = useApiMutation(accounts.removeApp, { quiet: true });
  const renewCodes = useApiMutation(accounts.recoveryCodes, { quiet: true });
  const askPassword = account.hasPassword;
  return (
    <Section title={t("account.factors.title")}>
      <p className={classes.lead}>{t("account.factors.text")}</p>
      <AccountList>
        <AccountRow
          icon={IconDeviceMobile}
          name={t("account.factors.app")}
          text={
            account.hasApp ? <StatusDot tone="ok">{t("account.factors.appOn")}</StatusDot> : t("account.factors.appOff")
          }
        >
          {account.hasApp ? (
            <Button variant="default" onClick={remove.open}>
              {t("account.factors.remove")}
            </Button>
          ) : (
            <Button variant="default" onClick={setUp.open}>
              {t("account.factors.setUp")}
            </Button>
          )}
        </AccountRow>
        {(account.hasApp || account.passkeys.length > 0 || account.recoveryCodes > 0) && (
          <AccountRow
            icon={IconLifebuoy}
            name={t("account.factors.recovery")}
            text={[
              t("account.factors.recoveryLeft", { count: account.recoveryCodes }),
              t("account.factors.recoveryText"),
            ].join(". ")}
          >
            <Button variant="default" onClick={renew.open}>
              {t("account.factors.renew")}
            </Button>
          </AccountRow>
        )}
        <AccountRow icon={IconFingerprint} name={t("account.passkeys.title")} text={t("account.passkeys.text")}>
          <Button variant="default" onClick={add.open}>
            {t("account.passkeys.add")}
          </Button>
        </AccountRow>
        {account.passkeys.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} askPassword={askPassword} />
        ))}
      </AccountList>
      <TotpDialog opened={settingUp} onClose={setUp.close} askPassword={askPassword} onCodes={setCodes} />
      <PasskeyDialog opened={adding} onClose={add.close} askPassword={askPassword} />
      <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />
      <ConfirmPasswordDialog
        askPassword={askPassword}
        opened={removing}
        onClose={remove.close}
        danger
        title={t("account.factors.removeTitle")}
        text={t("account.factors.removeText")}
        verb={t("account.factors.remove")}
        keep={t("account.factors.keepApp")}
        onConfirm={async (confirmation) => {
          await removeApp.mutateAsync({ body: confirmation });
          toast.done(t("account.factors.removed"));
        }}
      />
      <ConfirmPasswordDialog
        askPassword={askPassword}
        opened={renewing}
        onClose={renew.close}
        title={t("account.factors.renewTitle")}
        text={t("account.factors.renewText")}
        verb={t("account.factors.renew")}
        keep={t("account.factors.keepCodes")}
        onConfirm={async (confirmation) => setCodes((await renewCodes.mutateAsync({ body: confirmation })).codes)}
      />
    </Section>
  );
}
