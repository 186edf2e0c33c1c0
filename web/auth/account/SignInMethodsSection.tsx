import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconBrandGoogleFilled, IconBuilding, IconKey } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { AccountList, AccountRow } from "#web/auth/account/AccountRow.tsx";
import { PasswordDialog } from "#web/auth/account/PasswordDialog.tsx";
import { openSignInWindow } from "#web/auth/popup.ts";
import { ConfirmPasswordDialog } from "#web/auth/reauth/ConfirmPasswordDialog.tsx";
import { useApiMutation, queriesOf } from "#web/core/api/api.ts";
import { type ApiError, isCode } from "#web/core/http/http.ts";
import { reauthenticate } from "#web/core/session/reauth.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { StatusDot } from "#web/core/display/StatusDot.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { accounts, type Account, type ReauthOptions } from "#shared/auth/account.ts";
import { auth } from "#shared/auth/auth.ts";

/** Password, Google, the company's login. */
export function SignInMethodsSection({ account }: { account: Account }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [changing, change] = useDisclosure();
  const [confirming, confirm] = useDisclosure();
  const [unlinking, unlink] = useDisclosure();
  const requestReset = useApiMutation(auth.requestReset);
  const remove = useApiMutation(accounts.unlinkGoogle, { quiet: true });

  const sendMail = async () => {
    if (account.email === null) return;
    await requestReset.mutateAsync({ body: { email: account.email } });
    toast.done(t("account.password.sent"), { text: t("account.password.sentText") });
  };
  const link = async (confirmation: { password?: string } = {}) => {
    const onLinked = async () => {
      await client.invalidateQueries(queriesOf(accounts.get));
      toast.done(t("account.signInMethods.linkDone"));
    };
    try {
      await openSignInWindow({ provider: "google", purpose: "link", ...confirmation }, () => void onLinked());
    } catch (error) {
      if (
        !isCode(error, "auth.reauthRequired") ||
        !(await reauthenticate((error as ApiError).details as ReauthOptions))
      )
        throw error;
      // Browsers open a popup only after a click, so the person has to click again.
      return void toast.done(t("account.signInMethods.confirmed"), { text: t("account.signInMethods.linkAgain") });
    }
    await onLinked();
  };
  return (
    <Section title={t("account.signInMethods.title")}>
      <AccountList>
        {!account.ssoEnforced && (
          <AccountRow
            icon={IconKey}
            name={t("account.password.title")}
            text={t(account.hasPassword ? "account.password.text" : "account.password.none")}
          >
            {account.hasPassword ? (
              <Button variant="default" onClick={change.open}>
                {t("account.password.change")}
              </Button>
            ) : (
              <Button
                variant="default"
                loading={requestReset.isPending}
                onClick={() => void sendMail().catch(() => {})}
              >
                {t("account.password.requestLink")}
              </Button>
            )}
          </AccountRow>
        )}
        {((account.googleEnabled && !account.ssoEnforced) || account.hasGoogle) && (
          <AccountRow
            icon={IconBrandGoogleFilled}
            name={t("account.signInMethods.google")}
            text={
              account.hasGoogle ? (
                <StatusDot tone="ok">{t("account.signInMethods.linked")}</StatusDot>
              ) : (
                t("account.signInMethods.notLinked")
              )
            }
          >
            {account.hasGoogle ? (
              <Button variant="default" onClick={unlink.open}>
                {t("account.signInMethods.unlink")}
              </Button>
            ) : (
              <Button
                variant="default"
                onClick={account.hasPassword ? confirm.open : () => void link().catch(toast.failed)}
              >
                {t("account.signInMethods.link")}
              </Button>
            )}
          </AccountRow>
        )}
        {account.ssoCompany !== null && (
          <AccountRow
            icon={IconBuilding}
            name={t("account.signInMethods.sso")}
            text={
              account.ssoCompany
                ? t("account.signInMethods.ssoText", { company: account.ssoCompany })
                : t("account.signInMethods.ssoTextUnnamed")
            }
          />
        )}
      </AccountList>
      <PasswordDialog opened={changing} onClose={change.close} owner={account} />
      <ConfirmPasswordDialog
        opened={confirming}
        onClose={confirm.close}
        askPassword
        title={t("account.signInMethods.linkTitle")}
        text={t("account.signInMethods.linkText")}
        verb={t("account.signInMethods.link")}
        onConfirm={link}
      />
      <ConfirmPasswordDialog
        opened={unlinking}
        onClose={unlink.close}
        askPassword={account.hasPassword}
        title={t("account.signInMethods.unlinkTitle")}
        text={t("account.signInMethods.unlinkText")}
        verb={t("account.signInMethods.unlink")}
        keep={t("account.signInMethods.keep")}
        onConfirm={async (confirmation) => {
          await remove.mutateAsync({ body: confirmation });
          toast.done(t("account.signInMethods.unlinkDone"));
        }}
      />
    </Section>
  );
}
