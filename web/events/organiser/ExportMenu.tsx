import { Button, Menu } from "@mantine/core";
import { IconChevronDown, IconDownload } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { ExportState } from "#web/events/organiser/useExport.ts";

/** Exports the listed registrations as CSV or Excel file. */
export function ExportMenu({ busy, save }: ExportState) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <Button
          variant="default"
          fw={500}
          loading={busy}
          leftSection={<IconDownload size={18} stroke={1.7} />}
          rightSection={<IconChevronDown size={16} stroke={1.7} />}
        >
          {t("events.registrations.export")}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void save("xlsx")}>{t("events.registrations.xlsx")}</Menu.Item>
        <Menu.Item onClick={() => void save("csv")}>{t("events.registrations.csv")}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
