import { Menu } from "@mantine/core";
import { IconBrandLinkedin } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { saveBadge } from "#web/certificates/downloads.ts";
import { linkedInAddress } from "#web/certificates/linkedInAddress.ts";
import { ExportMenu } from "#web/core/display/ExportMenu.tsx";
import type { Certificate } from "#shared/certificates/certificates.ts";

/** The badge of a certificate in its two formats, and for its holder LinkedIn's form, filled in. */
export function BadgeMenu({ row, isOwn = false }: { row: Certificate; isOwn?: boolean }) {
  const { t } = useTranslation();
  if (row.name === null || row.state === "revoked" || row.state === "replaced") return null;
  return (
    <ExportMenu
      label={
        <>
          {t("certificates.badge.action")}
          <span className="ly-hidden"> {row.number}</span>
        </>
      }
      formats={{ png: t("certificates.badge.png"), jwt: t("certificates.badge.jwt") }}
      save={(format) => saveBadge(row, format)}
    >
      {isOwn && (
        <>
          <Menu.Divider />
          <Menu.Item
            component="a"
            href={linkedInAddress(row, window.location.origin)}
            target="_blank"
            rel="noopener noreferrer"
            leftSection={<IconBrandLinkedin size={18} stroke={1.7} />}
          >
            {t("certificates.badge.linkedIn")}
          </Menu.Item>
        </>
      )}
    </ExportMenu>
  );
}
