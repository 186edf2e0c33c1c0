import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "#web/auth/account/Account.module.css";
import { refreshToken } from "#web/core/session/token.ts";
import type { Account } from "#shared/account.ts";

/** For admins who have to set up a second factor first: what is wanted, and the way on when it is done. */
export function FactorRequired({ account }: { account: Account }) {
  const { t } = useTranslation();
  const done = !account.factorNeeded;
  return (
    <div className={classes.needed} role="status">
      <div>
        <strong>{t("account.factorRequired.title")}</strong>
        <p>{t(done ? "account.factorRequired.done" : "account.factorRequired.text")}</p>
      </div>
      {done && <Button onClick={() => void refreshToken()}>{t("account.factorRequired.continue")}</Button>}
    </div>
  );
}
