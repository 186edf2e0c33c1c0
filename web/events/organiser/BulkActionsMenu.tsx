import { ActionIcon, Menu } from "@mantine/core";
import { IconDots, IconDownload, IconMessage2, IconPencil } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { useExport } from "#web/events/organiser/useExport.ts";

const icon = { size: 18, stroke: 1.6 };

/** Actions on all listed guests, for phones, where the filter row has no space for them. */
export function BulkActionsMenu({
  id,
  exporting,
  onSendEmail,
}: {
  id: string;
  exporting: ReturnType<typeof useExport>;
  onSendEmail: () => void;
}) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <ActionIcon
          variant="default"
          loading={exporting.busy}
          aria-label={t("events.registrations.moreActions")}
          title={t("events.registrations.moreActions")}
        >
          <IconDots size={18} stroke={1.8} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconMessage2 {...icon} />} onClick={onSendEmail}>
          {t("events.registrations.sendEmail")}
        </Menu.Item>
        <Menu.Item leftSection={<IconDownload {...icon} />} onClick={() => void exporting.save("xlsx")}>
          {t("events.registrations.exportAs", { kind: t("events.registrations.xlsx") })}
        </Menu.Item>
        <Menu.Item leftSection={<IconDownload {...icon} />} onClick={() => void exporting.save("csv")}>
          {t("events.registrations.exportAs", { kind: t("events.registrations.csv") })}
        </Menu.Item>
        <Menu.Item leftSection={<IconPencil {...icon} />} component={Link} to={`/admin/events/edit/${id}`}>
          {t("events.actions.edit")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
