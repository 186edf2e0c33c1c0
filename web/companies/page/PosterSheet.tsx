import type { CSSProperties } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/companies/page/Poster.module.css";
import { Qr } from "#web/core/display/Qr.tsx";
import { registrationLink } from "#web/companies/registrationLink.ts";
import { dayIn } from "#web/core/format/zone.ts";
import { CompanyMark } from "#web/core/brand/CompanyMark.tsx";
import { formatDate } from "#web/core/format/format.ts";
import { brandShades } from "#shared/settings/brandColors.ts";
import { type CompanyRow, formatCode } from "#shared/companies/companies.ts";

const AEGEAN = "#0f5763";

/** The poster page: company, QR code, access code and three steps. All sizes are relative to its width. */
export function PosterSheet({ company, mark }: { company: CompanyRow; mark: number }) {
  const { t } = useTranslation();
  const { name, color, logo, accessCode, allowedDomains, codeExpiresAt, timezone } = company;
  const { shades } = brandShades(color ?? AEGEAN);
  const address = `${location.host}/register`;
  const notes = [
    allowedDomains.length > 0 &&
      t("companies.poster.domains", { domains: allowedDomains.map((domain) => `@${domain}`).join(", ") }),
    codeExpiresAt && t("companies.poster.until", { date: formatDate(dayIn(codeExpiresAt, timezone)) }),
  ].filter(Boolean);
  return (
    <div className={classes.sheet} style={{ "--ink": shades[8], "--tint": shades[0] } as CSSProperties}>
      <div className={classes.page}>
        <header className={classes.head}>
          <CompanyMark name={name} color={color} logo={logo} size={mark} />
          <span>{name}</span>
        </header>
        <p className={classes.title}>{t("companies.poster.headline")}</p>
        <div className={classes.code}>
          <Qr
            text={registrationLink(accessCode)}
            size="100%"
            label={t("companies.qr", { code: formatCode(accessCode) })}
            ink={shades[9] ?? "#08343d"}
          />
          <div>
            <span>{t("companies.code")}</span>
            <code>{formatCode(accessCode)}</code>
          </div>
        </div>
        <ol className={classes.steps}>
          <li>{t("companies.poster.step1", { address })}</li>
          <li>{t("companies.poster.step2", { code: formatCode(accessCode) })}</li>
          <li>{t("companies.poster.step3")}</li>
        </ol>
        {notes.length > 0 && <p className={classes.small}>{notes.join(" ")}</p>}
      </div>
    </div>
  );
}
