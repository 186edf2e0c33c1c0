import { useSuspenseQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import classes from "#web/auth/account/Account.module.css";
import { AccountList, AccountRow } from "#web/auth/account/AccountRow.tsx";
import { queryFor } from "#web/core/api/api.ts";
import { ConfirmButton } from "#web/core/dialog/ConfirmButton.tsx";
import { Pill } from "#web/core/display/Pill.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { useUser } from "#web/core/session/session.tsx";
import { StatusDot } from "#web/core/display/StatusDot.tsx";
import { useResetFactors } from "#web/auth/account/useResetFactors.ts";
import { accounts } from "#shared/auth/account.ts";

/** For admins: the list of admins with their second factors, which can be removed for admins who lost theirs. */
export function AdminsSection() {
  const { t } = useTranslation();
  const user = useUser();
  const { data } = useSuspenseQuery(queryFor(accounts.admins));
  const resetOf = useResetFactors();
  return (
    <Section title={t("account.admins.title")}>
      <p className={classes.lead}>{t("account.admins.text")}</p>
      <AccountList>
        {data.items.map((admin) => (
          <AccountRow
            key={admin.id}
            name={
              <>
                {admin.name || admin.email} {admin.id === user?.id && <Pill>{t("account.admins.you")}</Pill>}
              </>
            }
            text={
              <>
                {admin.email} ·{" "}
                <StatusDot tone={admin.hasFactor ? "ok" : "idle"}>
                  {t(admin.hasFactor ? "account.admins.hasFactor" : "account.admins.passwordOnly")}
                </StatusDot>
              </>
            }
          >
            {admin.hasFactor && admin.id !== user?.id && (
              <ConfirmButton confirmation={resetOf(admin)}>{t("account.admins.reset")}</ConfirmButton>
            )}
          </AccountRow>
        ))}
      </AccountList>
    </Section>
  );
}
