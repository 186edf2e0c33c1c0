import { Button, Menu } from "@mantine/core";
import { IconChevronDown, IconDownload } from "@tabler/icons-react";
import type { ReactNode } from "react";

type Props<Format extends string> = {
  label: ReactNode;
  /** The label of each format, in their order in the menu. */
  formats: Partial<Record<Format, string>>;
  save: (format: Format) => Promise<unknown>;
  isBusy?: boolean;
  className?: string | undefined;
  /** Further items of the menu. */
  children?: ReactNode;
};

/** A button with a menu of the formats in which something is saved as a file. */
export const ExportMenu = <Format extends string = "csv" | "xlsx">({
  label,
  formats,
  save,
  isBusy = false,
  className,
  children,
}: Props<Format>) => (
  <Menu position="bottom-end">
    <Menu.Target>
      <Button
        className={className}
        variant="default"
        loading={isBusy}
        leftSection={<IconDownload size={18} stroke={1.7} />}
        rightSection={<IconChevronDown size={16} />}
      >
        {label}
      </Button>
    </Menu.Target>
    <Menu.Dropdown>
      {(Object.keys(formats) as Format[]).map((format) => (
        <Menu.Item key={format} onClick={() => void save(format)}>
          {formats[format]}
        </Menu.Item>
      ))}
      {children}
    </Menu.Dropdown>
  </Menu>
);
