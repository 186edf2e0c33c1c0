import { UnstyledButton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { academy, useAcademyName } from "#web/core/academy/academy.ts";
import classes from "#web/core/layout/Footer.module.css";
import { OPEN_COOKIE_BANNER_EVENT } from "#shared/consent/consent.ts";

/** The footer: name of the academy, support email, privacy policy, and a button that reopens the cookie banner. */
export function Footer({ wide = false }: { wide?: boolean }) {
  const { t } = useTranslation();
  const name = useAcademyName();
  const { policyUrl = "/privacy-policy", supportEmail } = academy.use() ?? {};
  const isLocal = policyUrl.startsWith("/");
  return (
    <footer className={classes.footer} data-wide={wide || undefined}>
      <span className={classes.name}>{name}</span>
      {supportEmail && <a href={`mailto:${supportEmail}`}>{supportEmail}</a>}
      {isLocal ? (
        <Link to={policyUrl}>{t("consent.banner.policy")}</Link>
      ) : (
        <a href={policyUrl} rel="noreferrer">
          {t("consent.banner.policy")}
        </a>
      )}
      <UnstyledButton className={classes.button} onClick={() => dispatchEvent(new Event(OPEN_COOKIE_BANNER_EVENT))}>
        {t("consent.reopen")}
      </UnstyledButton>
    </footer>
  );
}
