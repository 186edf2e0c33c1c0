import { Button, Menu } from "@mantine/core";
import { IconColumns3 } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import classes from "#web/rawData/AttemptGrid.module.css";
import type { AttemptColumns } from "#web/rawData/useAttemptColumns.ts";
import { KeyText } from "#web/variables/KeyText.tsx";
import { MAX_COLUMNS } from "#shared/rawData/rawData.ts";

/** Chooses the variables that are columns. */
export function ColumnPicker({ columns: { all = [], shown, toggle } }: { columns: AttemptColumns }) {
  const { t } = useTranslation();
  const isFull = shown.length >= MAX_COLUMNS;
  return (
    <Menu position="bottom-end" width={300} closeOnItemClick={false}>
      <Menu.Target>
        <Button variant="default" fw={500} leftSection={<IconColumns3 size={18} stroke={1.6} />}>
          {t("rawData.grid.picker", { count: shown.length, total: all.length })}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.picker}>
        {all.length > MAX_COLUMNS && <Menu.Label>{t("rawData.grid.pickerLimit", { count: MAX_COLUMNS })}</Menu.Label>}
        {all.length === 0 && <Menu.Label>{t("rawData.grid.noVariables")}</Menu.Label>}
        {all.map((variable) => {
          const isShown = shown.includes(variable);
          return (
            <Menu.CheckboxItem
              key={variable.id}
              checked={isShown}
              disabled={isFull && !isShown}
              onChange={() => toggle(variable.id)}
            >
              {variable.label}
              {variable.status === "archived" && ` (${t("rawData.grid.archived")})`}
              <br />
              <KeyText>{variable.key}</KeyText>
            </Menu.CheckboxItem>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
