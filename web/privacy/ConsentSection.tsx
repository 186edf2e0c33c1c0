import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { isAllowed, decision } from "#web/core/session/consentDecision.ts";
import { formatDate } from "#web/core/format/format.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { Time } from "#web/core/display/Time.tsx";
import classes from "#web/privacy/Privacy.module.css";
import { CATEGORIES, consents, OPEN_COOKIE_BANNER_EVENT } from "#shared/consent/consent.ts";

export const recentChoices = () => queryFor(consents.list, { query: { size: 5 } });

/** The current choice of this browser, a button to change it, and the choices recorded for the account. */
export function ConsentSection() {
  const { t } = useTranslation();
  const choice = decision.use();
  const { data } = useQuery(recentChoices());
  return (
    <Section title={t("privacy.consent.title")}>
      <p className={classes.choice} style={{ margin: 0 }}>
        {choice ? t(`privacy.consent.is.${choice.status}`) : t("privacy.consent.none")}
      </p>
      {choice?.meta && (
        <p className={classes.quiet}>
          {t("privacy.consent.until", {
            date: formatDate(choice.meta.decidedAt),
            until: formatDate(choice.meta.expiresAt),
          })}
        </p>
      )}
      <ul className={classes.categories}>
        {CATEGORIES.map((name) => (
          <li key={name}>
            {t(`consent.dialog.${name}`)}
            <span>{isAllowed(name) ? t("privacy.consent.on") : t("privacy.consent.off")}</span>
          </li>
        ))}
      </ul>
      <Button variant="default" onClick={() => dispatchEvent(new Event(OPEN_COOKIE_BANNER_EVENT))}>
        {t("privacy.consent.change")}
      </Button>
      {data && data.total > 0 && (
        <details className={classes.details}>
          <summary>{t("privacy.consent.history")}</summary>
          <ul className={classes.log}>
            {data.items.map(({ id, status, policyVersion, decidedAt, via }) => (
              <li key={id}>
                <span>
                  {t(`privacy.consent.is.${status}`)}, {t(`privacy.consent.via.${via}`)}
                  <span className={classes.quiet} style={{ display: "block" }}>
                    {t("privacy.consent.version", { version: policyVersion })}
                  </span>
                </span>
                <Time at={decidedAt} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </Section>
  );
}
