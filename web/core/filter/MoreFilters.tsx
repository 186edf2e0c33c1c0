import { Button, Menu } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { Fragment, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";

export type RareFilter = {
  key: string;
  label: string;
  isSet: boolean;
  /** Renders the filter; `isOpen` right after it was added. */
  render: (open: { isOpen: boolean; onClose: () => void }) => ReactNode;
};

/** Rarely used filters: those that are set, and a menu that adds the others. */
export function MoreFilters({ filters }: { filters: RareFilter[] }) {
  const { t } = useTranslation();
  const [added, setAdded] = useState<string | null>(null);
  const shown = filters.filter(({ key, isSet }) => isSet || key === added);
  const hidden = filters.filter((filter) => !shown.includes(filter));
  return (
    <>
      {shown.map(({ key, isSet, render }) => (
        <Fragment key={key}>{render({ isOpen: key === added && !isSet, onClose: () => setAdded(null) })}</Fragment>
      ))}
      {hidden.length > 0 && (
        <Menu position="bottom-start" width={220} returnFocus={false}>
          <Menu.Target>
            <Button variant="default" fw={500} rightSection={<IconChevronDown size={16} stroke={1.7} />}>
              {t("web.table.more")}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {hidden.map(({ key, label }) => (
              <Menu.Item key={key} onClick={() => setAdded(key)}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  );
}
