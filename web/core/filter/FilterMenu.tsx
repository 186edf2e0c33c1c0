import { Button, CloseButton, Combobox, useCombobox } from "@mantine/core";
import { IconCheck, IconChevronDown } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { MAX_SHOWN_CHOICES } from "#web/core/brand/componentDefaults.ts";
import classes from "#web/core/filter/FilterMenu.module.css";
import type { Filter } from "#web/core/filter/filter.ts";

/** Longer lists of options get a search box. */
const MAX_WITHOUT_SEARCH = 8;

type Props = {
  filter: Required<Pick<Filter, "key" | "label" | "options">>;
  value: string;
  onChange: (value: string) => void;
  /** The menu is open when it first appears. */
  isOpen?: boolean | undefined;
};

/** A filter as a menu. An active filter shows its value and a button that removes it. */
export function FilterMenu({ filter: { label, options }, value, onChange, isOpen = false }: Props) {
  const { t } = useTranslation();
  const [search, setSearch] = useState("");
  const combobox = useCombobox({
    defaultOpened: isOpen,
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setSearch("");
    },
    onDropdownOpen: () =>
      options.length > MAX_WITHOUT_SEARCH ? combobox.focusSearchInput() : combobox.selectActiveOption(),
  });
  const chosen = options.find((option) => option.value === value);
  const matches = options.filter((option) => option.label.toLowerCase().includes(search.trim().toLowerCase()));
  const shown = matches.slice(0, MAX_SHOWN_CHOICES);
  const choose = (next: string) => {
    onChange(next === value ? "" : next);
    combobox.closeDropdown();
    combobox.focusTarget();
  };

  return (
    <span className={classes.filter} data-on={value !== "" || undefined}>
      <Combobox
        store={combobox}
        width={260}
        position="bottom-start"
        shadow="md"
        onOptionSubmit={choose}
        transitionProps={{ duration: 180 }}
      >
        <Combobox.Target targetType="button" withAriaAttributes>
          <Button
            variant="default"
            fw={500}
            className={classes.filterButton}
            rightSection={<IconChevronDown size={16} stroke={1.7} />}
            onClick={() => combobox.toggleDropdown()}
          >
            {value ? t("web.table.filter", { label, value: chosen?.label ?? "…" }) : label}
          </Button>
        </Combobox.Target>
        <Combobox.Dropdown>
          {options.length > MAX_WITHOUT_SEARCH && (
            <Combobox.Search
              role="combobox"
              aria-expanded
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
              placeholder={t("web.table.searchOptions")}
              aria-label={t("web.table.searchOptions")}
            />
          )}
          <Combobox.Options mah={280} className={classes.options} aria-label={label}>
            {shown.map((option) => (
              <Combobox.Option
                key={option.value}
                value={option.value}
                active={option.value === value}
                aria-selected={option.value === value}
              >
                <span className={classes.option}>
                  {option.label}
                  {option.value === value && <IconCheck size={16} />}
                </span>
              </Combobox.Option>
            ))}
            {matches.length === 0 && <Combobox.Empty>{t("web.table.noMatches")}</Combobox.Empty>}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      {value && (
        <CloseButton
          className={classes.filterClear}
          size={26}
          iconSize={16}
          aria-label={t("web.table.clearFilter", { label })}
          onClick={() => onChange("")}
        />
      )}
    </span>
  );
}
