import { Button, CloseButton, Popover } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/core/filter/FilterMenu.module.css";

type Props = {
  label: string;
  /** The chosen value as text; null if there is none. */
  chosen: string | null;
  /** The text of the button; by default the label and the chosen value. */
  text?: string;
  /** Removes the chosen value; without it there is no button for that. */
  onClear?: (() => void) | undefined;
  /** Loads the code of the panel before it is opened. */
  preload: () => Promise<unknown>;
  /** The panel is open when it first appears. */
  isOpen?: boolean;
  onClose?: (() => void) | undefined;
  children: (close: () => void) => ReactNode;
};

/** A filter as a button with a panel. An active filter shows its value and a button that removes it. */
export function FilterChip({ label, chosen, text, onClear, preload, isOpen = false, onClose, children }: Props) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(isOpen);
  const change = (next: boolean) => {
    setOpened(next);
    if (!next) onClose?.();
  };
  // Without a connection, opening the panel says that it could not be loaded.
  const load = () => void preload().catch(() => {});
  const words = chosen === null ? label : t("web.table.filter", { label, value: chosen });
  return (
    <span className={classes.filter} data-on={onClear ? true : undefined}>
      <Popover
        opened={opened}
        onChange={change}
        position="bottom-start"
        shadow="md"
        trapFocus
        returnFocus
        transitionProps={{ duration: 180 }}
      >
        <Popover.Target>
          <Button
            variant="default"
            fw={500}
            className={classes.filterButton}
            rightSection={<IconChevronDown size={16} stroke={1.7} />}
            onPointerEnter={load}
            onFocus={load}
            onClick={() => change(!opened)}
          >
            {text === undefined ? (
              words
            ) : (
              <>
                <span className="ly-hidden">{label}: </span>
                {text}
              </>
            )}
          </Button>
        </Popover.Target>
        <Popover.Dropdown className={classes.panel}>{children(() => change(false))}</Popover.Dropdown>
      </Popover>
      {onClear && (
        <CloseButton
          className={classes.filterClear}
          size={26}
          iconSize={16}
          aria-label={t("web.table.clearFilter", { label })}
          onClick={onClear}
        />
      )}
    </span>
  );
}
