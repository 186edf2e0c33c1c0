import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/auth/AuthFrame.module.css";

/** "or", and the ways beside the password. */
export function OtherSignInMethods({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div className={classes.others}>
      <p className={classes.or}>
        <span>{t("auth.login.or")}</span>
      </p>
      {children}
    </div>
  );
}
