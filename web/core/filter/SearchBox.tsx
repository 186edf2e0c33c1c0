import { CloseButton, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/core/filter/SearchBox.module.css";

type Props = { label: string; value: string; onChange: (value: string) => void; isFocused?: boolean | undefined };

/** The search box of a list. Waits 250 ms after the last key, and follows changes of `value` from outside. */
export function SearchBox({ label, value, onChange, isFocused = false }: Props) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(value);
  const reported = useRef(value);
  const report = useDebouncedCallback((next: string) => {
    reported.current = next.trim();
    onChange(next.trim());
  }, 250);

  useEffect(() => {
    if (value === reported.current) return;
    reported.current = value;
    setTyped(value);
  }, [value]);

  const type = (next: string) => {
    setTyped(next);
    report(next);
  };
  return (
    <TextInput
      type="search"
      autoFocus={isFocused}
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
