import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/auth/AuthFrame.module.css";

/** The divider "or", followed by other sign-in methods. */
export function OtherSignInMethods({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div className={classes.otherMethods}>
      <p className={classes.or}>
        <span>{t("auth.login.or")}</span>
      </p>
      {children}
    </div>
  );
}
