import { Anchor } from "@mantine/core";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Markdown } from "#web/core/display/Markdown.tsx";
import { Link, useSearchParams } from "react-router";
import { academy } from "#web/core/academy/academy.ts";
import { queryFor } from "#web/core/api/api.ts";
import { formatDateIn } from "#web/core/format/format.ts";
import { Heading } from "#web/core/layout/Heading.tsx";
import { useUser } from "#web/core/session/session.tsx";
import classes from "#web/privacy/PrivacyPolicyPage.module.css";
import { academies } from "#shared/settings/settings.ts";

/** The public privacy policy; `?version=` shows an earlier version. */
export function PrivacyPolicyPage() {
  const { t } = useTranslation();
  const user = useUser();
  const [search] = useSearchParams();
  const version = Number(search.get("version")) || undefined;
  const url = academy.use()?.policyUrl ?? "";
  // The date is shown in UTC, because server and browser must render the same text.
  const { data } = useSuspenseQuery(queryFor(academies.policy, { query: { version } }));
  const isExternal = /^https?:/.test(url) && !version;
  return (
    <div className={classes.page}>
      <Heading>{t("privacy.policy")}</Heading>
      {isExternal ? (
        <p>
          {t("privacy.page.external")}{" "}
          <Anchor href={url} rel="noreferrer" underline="always">
            {t("privacy.page.open")}
          </Anchor>
        </p>
      ) : (
        <>
          <p className={classes.facts}>
            {t("privacy.page.version", { version: data.version, date: formatDateIn(data.publishedAt, "UTC") })}
            {user && (
              <Anchor component={Link} to="/privacy-settings" size="sm">
                {t("privacy.page.settings")}
              </Anchor>
            )}
          </p>
          <Markdown>{data.body}</Markdown>
        </>
      )}
    </div>
  );
}
