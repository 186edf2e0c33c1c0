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
import { accounts } from "#shared/account.ts";

/** For admins: who else is one, with or without a second factor, and the way back in for whoever lost theirs. */
export function AdminsSection() {
  const { t } = useTranslation();
  const user = useUser();
  const { data } = useSuspenseQuery(queryFor(accounts.admins));
  const resetOf = useResetFactors();
  return (
    <Section title={t("account.admins.title")}>
      <p className={classes.lead}>{t("account.admins.text")}</p>
      <AccountList>
        {data.items.map((one) => (
          <AccountRow
            key={one.id}
            name={
              <>
                {one.name || one.email} {one.id === user?.id && <Pill>{t("account.admins.you")}</Pill>}
              </>
            }
            text={
              <>
                {one.email} ·{" "}
                <StatusDot tone={one.hasFactor ? "ok" : "idle"}>
                  {t(one.hasFactor ? "account.admins.has" : "account.admins.hasNot")}
                </StatusDot>
              </>
            }
          >
            {one.hasFactor && one.id !== user?.id && (
              <ConfirmButton confirmation={resetOf(one)}>{t("account.admins.reset")}</ConfirmButton>
            )}
          </AccountRow>
        ))}
      </AccountList>
    </Section>
  );
}
