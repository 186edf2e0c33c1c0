import { CloseButton } from "@mantine/core";
import { IconPackageOff } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { WarningList } from "#web/courses/import/WarningList.tsx";
import classes from "#web/courses/import/Verdict.module.css";
import type { ApiError } from "#web/core/api/http.ts";
import { messageOf } from "#web/core/api/messages.ts";

type Props = { name: string; error: ApiError; /** `new version of “Lockout”` */ purpose?: string; onClose: () => void };

/** Why a package was not taken: the server's sentence under the name of the file. */
export function ImportRefusal({ name, error, purpose, onClose }: Props) {
  const { t } = useTranslation();
  const warnings = Array.isArray(error.details.warnings) ? (error.details.warnings as string[]) : [];
  return (
    <div className={classes.refusal} role="alert">
      <IconPackageOff size={20} stroke={1.6} aria-hidden />
      <div className={classes.reason}>
        <p className={classes.refused}>
          {t("courses.upload.rejected", { name })}
          {purpose && <span className={classes.purpose}>{purpose}</span>}
        </p>
        <p>{messageOf(error)}</p>
        {warnings.length > 0 && <WarningList warnings={warnings} />}
        <p className={classes.nothingLost}>{t("courses.upload.nothingChanged")}</p>
      </div>
      <CloseButton size="sm" aria-label={t("courses.upload.closeNotice", { name })} onClick={onClose} />
    </div>
  );
}
