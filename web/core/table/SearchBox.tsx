import { CloseButton, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/core/table/SearchBox.module.css";

type Props = { label: string; value: string; onChange: (value: string) => void };

/** Search of a list: waits 250 ms after the last key, and follows when the address changes by itself. */
export function SearchBox({ label, value, onChange }: Props) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(value);
  const told = useRef(value);
  const tell = useDebouncedCallback((next: string) => {
    told.current = next.trim();
    onChange(next.trim());
  }, 250);

  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    setTyped(value);
  }, [value]);

  const type = (next: string) => {
    setTyped(next);
    tell(next);
  };
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      className={classes.search}
      leftSection={<IconSearch size={18} stroke={1.6} />}
      rightSection={typed && <CloseButton size="sm" aria-label={t("web.table.clearSearch")} onClick={() => type("")} />}
    />
  );
}
