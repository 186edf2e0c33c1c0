import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "#web/auth/account/Account.module.css";
import { refreshToken } from "#web/core/session/token.ts";
import type { Account } from "#shared/auth/account.ts";

/** Notice for admins who must set up a second factor, with a button to continue once it is done. */
export function FactorRequired({ account }: { account: Account }) {
  const { t } = useTranslation();
  const done = !account.mustSetUpFactor;
  return (
    <div className={classes.factorRequired} role="status">
      <div>
        <strong>{t("account.factorRequired.title")}</strong>
        <p>{t(done ? "account.factorRequired.done" : "account.factorRequired.text")}</p>
      </div>
      {done && <Button onClick={() => void refreshToken()}>{t("account.factorRequired.continue")}</Button>}
    </div>
  );
}
