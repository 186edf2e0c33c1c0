import { CloseButton } from "@mantine/core";
import { IconPackageOff } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { WarningList } from "#web/packages/WarningList.tsx";
import classes from "#web/packages/findings.module.css";
import type { ApiError } from "#web/core/http/http.ts";
import { messageOf } from "#web/core/http/messages.ts";

type Props = {
  name: string;
  error: ApiError;
  /** What the upload was for: `new version of “Lockout”`. */
  purpose?: string;
  onClose: () => void;
};

/** Why a package was rejected: the file name and the server's message. */
export function ImportError({ name, error, purpose, onClose }: Props) {
  const { t } = useTranslation();
  const warnings = Array.isArray(error.details.warnings) ? (error.details.warnings as string[]) : [];
  return (
    <div className={classes.error} role="alert">
      <IconPackageOff size={20} stroke={1.6} aria-hidden />
      <div className={classes.reason}>
        <p className={classes.errorTitle}>
          {t("courses.upload.rejected", { name })}
          {purpose && <span className={classes.purpose}>{purpose}</span>}
        </p>
        <p>{messageOf(error)}</p>
        {warnings.length > 0 && <WarningList warnings={warnings} />}
        <p className={classes.note}>{t("courses.upload.nothingChanged")}</p>
      </div>
      <CloseButton size="sm" aria-label={t("courses.upload.closeNotice", { name })} onClick={onClose} />
    </div>
  );
}
