import type { CSSProperties } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/auth/AuthFrame.module.css";
import { CompanyMark } from "#web/core/brand/CompanyMark.tsx";

type Props = { name: string; color: string | null; logo?: string | null; welcome?: string };

/** The company the person joins, with logo and colour. */
export function CompanyCard({ name, color, logo, welcome }: Props) {
  const { t } = useTranslation();
  return (
    <div className={classes.company} style={{ "--company": color ?? undefined } as CSSProperties}>
      <CompanyMark name={name} color={color} logo={logo ?? null} size={40} />
      <div>
        <p className={classes.companyName}>{t("auth.register.joins", { company: name })}</p>
        {welcome && <p className={classes.companyText}>{welcome}</p>}
      </div>
    </div>
  );
}
