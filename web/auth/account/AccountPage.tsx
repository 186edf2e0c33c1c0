import { useSuspenseQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import classes from "#web/auth/account/Account.module.css";
import { FactorRequired } from "#web/auth/account/FactorRequired.tsx";
import { FactorsSection } from "#web/auth/account/FactorsSection.tsx";
import { NotificationsSection } from "#web/auth/account/NotificationsSection.tsx";
import { ProfileSection } from "#web/auth/account/ProfileSection.tsx";
import { SessionsSection } from "#web/auth/account/SessionsSection.tsx";
import { SignInMethodsSection } from "#web/auth/account/SignInMethodsSection.tsx";
import { PinSection } from "#web/auth/pins/PinSection.tsx";
import { queryFor } from "#web/core/api/api.ts";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { useUser } from "#web/core/session/session.tsx";
import { accounts } from "#shared/auth/account.ts";
import { isAdmin } from "#shared/core/users.ts";

/** /account: name, login methods, second factors, and active sessions. */
export function AccountPage() {
  const { t } = useTranslation();
  const user = useUser();
  const { data: account } = useSuspenseQuery(queryFor(accounts.get));
  return (
    <div className={classes.page}>
      <PageHead title={t("account.title")} line={t("account.line")} />
      {user?.needsFactor && <FactorRequired account={account} />}
      {!user?.needsFactor && <ProfileSection account={account} />}
      {!user?.needsFactor && account.email !== null && <SignInMethodsSection account={account} />}
      {account.hasPin && <PinSection />}
      {account.email !== null && <FactorsSection account={account} />}
      <SessionsSection />
      {isAdmin(user) && !user.needsFactor && <NotificationsSection />}
    </div>
  );
}
