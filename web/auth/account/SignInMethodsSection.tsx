import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconBrandGoogleFilled, IconBuilding, IconKey } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { AccountList, AccountRow } from "#web/auth/account/AccountRow.tsx";
import { PasswordDialog } from "#web/auth/account/PasswordDialog.tsx";
import { inWindow } from "#web/auth/popup.ts";
import { ConfirmPasswordDialog } from "#web/auth/reauth/ConfirmPasswordDialog.tsx";
import { useApiMutation } from "#web/core/api/api.ts";
import { type ApiError, isCode } from "#web/core/api/http.ts";
import { reauthenticate } from "#web/core/session/reauth.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { StatusDot } from "#web/core/display/StatusDot.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { accounts, type Account, type ReauthOptions } from "#shared/account.ts";
import { auth } from "#shared/auth.ts";

/** Password, Google, the company's login. */
export function SignInMethodsSection({ account }: { account: Account }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [changing, change] = useDisclosure();
  const [proving, prove] = useDisclosure();
  const [unlinking, unlink] = useDisclosure();
  const askForMail = useApiMutation(auth.requestReset);
  const remove = useApiMutation(accounts.unlinkGoogle, { quiet: true });

  const sendMail = async () => {
    await askForMail.mutateAsync({ body: { email: account.email } });
    toast.done(t("account.password.sent"), { text: t("account.password.sentText") });
  };
  const link = async (proof: { password?: string } = {}) => {
    const done = async () => {
      await client.invalidateQueries({ queryKey: ["account"] });
      toast.done(t("account.ways.linkedNow"));
    };
    try {
      await inWindow({ provider: "google", purpose: "link", ...proof }, () => void done());
    } catch (error) {
      if (
        !isCode(error, "auth.reauthRequired") ||
        !(await reauthenticate((error as ApiError).details as ReauthOptions))
      )
        throw error;
      // A window opens by a click only, and the one of this act is over.
      return void toast.done(t("account.ways.confirmed"), { text: t("account.ways.linkNow") });
    }
    await done();
  };
  return (
    <Section title={t("account.ways.title")}>
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
              <Button variant="default" loading={askForMail.isPending} onClick={() => void sendMail().catch(() => {})}>
                {t("account.password.first")}
              </Button>
            )}
          </AccountRow>
        )}
        {((account.googleOffered && !account.ssoEnforced) || account.hasGoogle) && (
          <AccountRow
            icon={IconBrandGoogleFilled}
            name={t("account.ways.google")}
            text={
              account.hasGoogle ? (
                <StatusDot tone="ok">{t("account.ways.linked")}</StatusDot>
              ) : (
                t("account.ways.notLinked")
              )
            }
          >
            {account.hasGoogle ? (
              <Button variant="default" onClick={unlink.open}>
                {t("account.ways.unlink")}
              </Button>
            ) : (
              <Button
                variant="default"
                onClick={account.hasPassword ? prove.open : () => void link().catch(toast.failed)}
              >
                {t("account.ways.link")}
              </Button>
            )}
          </AccountRow>
        )}
        {account.sso !== null && (
          <AccountRow
            icon={IconBuilding}
            name={t("account.ways.sso")}
            text={account.sso ? t("account.ways.ssoText", { company: account.sso }) : t("account.ways.ssoPlain")}
          />
        )}
      </AccountList>
      <PasswordDialog opened={changing} onClose={change.close} email={account.email} />
      <ConfirmPasswordDialog
        opened={proving}
        onClose={prove.close}
        needed
        title={t("account.ways.linkAsk")}
        text={t("account.ways.linkText")}
        verb={t("account.ways.link")}
        act={link}
      />
      <ConfirmPasswordDialog
        opened={unlinking}
        onClose={unlink.close}
        needed={account.hasPassword}
        title={t("account.ways.unlinkAsk")}
        text={t("account.ways.unlinkText")}
        verb={t("account.ways.unlink")}
        keep={t("account.ways.keep")}
        act={async (proof) => {
          await remove.mutateAsync({ body: proof });
          toast.done(t("account.ways.unlinked"));
        }}
      />
    </Section>
  );
}
