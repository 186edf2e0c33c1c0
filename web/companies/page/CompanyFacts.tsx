import { Anchor } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { formatLongDay, formatMonth } from "#web/core/format/format.ts";
import { Pill } from "#web/core/display/Pill.tsx";
import type { CompanyRow } from "#shared/companies/companies.ts";
import { cityOf } from "#shared/core/dates.ts";

/** "Active since March 2025. Oslo time. Contact: Hanne Dahl, hanne@…" */
export function CompanyFacts({
  company: { status, createdAt, timezone, contactName, contactEmail },
}: {
  company: CompanyRow;
}) {
  const { t } = useTranslation();
  // The long format, such as `Friday 20 November`, ends with the full name of the month.
  const month = formatLongDay(createdAt).split(" ").at(-1) ?? formatMonth(createdAt);
  const since = `${month} ${new Date(createdAt).getFullYear()}`;
  return (
    <>
      {status === "active" ? (
        t("companies.facts.since", { since })
      ) : (
        <>
          <Pill>{t(`companies.is.${status}`)}</Pill> {t("companies.facts.added", { since })}
        </>
      )}{" "}
      {timezone === "UTC" ? t("companies.facts.utc") : t("companies.facts.zone", { city: cityOf(timezone) })}
      {(contactName || contactEmail) && (
        <>
          {" "}
          {t("companies.facts.contact")} {contactName}
          {contactName && contactEmail && ", "}
          {contactEmail && (
            <Anchor inherit underline="always" href={`mailto:${contactEmail}`}>
              {contactEmail}
            </Anchor>
          )}
        </>
      )}
    </>
  );
}
