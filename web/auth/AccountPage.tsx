import { useSuspenseQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import classes from "#web/auth/Account.module.css";
import { AdminsSection } from "#web/auth/AdminsSection.tsx";
import { FactorNeeded } from "#web/auth/FactorNeeded.tsx";
import { FactorsSection } from "#web/auth/FactorsSection.tsx";
import { ProfileSection } from "#web/auth/ProfileSection.tsx";
import { SessionsSection } from "#web/auth/SessionsSection.tsx";
import { WaysSection } from "#web/auth/WaysSection.tsx";
import { ask } from "#web/core/api.ts";
import { PageHead } from "#web/core/PageHead.tsx";
import { useUser } from "#web/core/session.tsx";
import { accounts } from "#shared/account.ts";
import { isAdmin } from "#shared/users.ts";

/** /account: the own name, ways to log in, second factors, and where one is logged in. */
export function AccountPage() {
  const { t } = useTranslation();
  const user = useUser();
  const { data: account } = useSuspenseQuery(ask(accounts.get));
  return (
    <div className={classes.page}>
      <PageHead title={t("account.title")} line={t("account.line")} />
      {user?.needsFactor && <FactorNeeded account={account} />}
      {!user?.needsFactor && <ProfileSection account={account} />}
      {!user?.needsFactor && <WaysSection account={account} />}
      <FactorsSection account={account} />
      <SessionsSection />
      {isAdmin(user) && !user.needsFactor && <AdminsSection />}
    </div>
  );
}
