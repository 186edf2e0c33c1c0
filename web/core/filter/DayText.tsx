import { TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatDate } from "#web/core/format/format.ts";
import { parseDay } from "#web/core/filter/parseDay.ts";

type Props = {
  label: string;
  placeholder?: string;
  value: string;
  onChange: (day: string) => void;
  isFocused?: boolean;
};

/** A day as text, `24 Nov 2026` or `2026-11-24`. It is applied on Enter, or when the field loses the focus. */
export function DayText({ label, placeholder, value, onChange, isFocused = false }: Props) {
  const { t } = useTranslation();
  const shown = value ? formatDate(value) : "";
  const [typed, setTyped] = useState(shown);
  const [isWrong, setIsWrong] = useState(false);
  useEffect(() => {
    setTyped(shown);
    setIsWrong(false);
  }, [shown]);
  const commit = () => {
    if (typed.trim() === shown) return;
    const day = typed.trim() ? parseDay(typed) : "";
    setIsWrong(day === null);
    if (day !== null) onChange(day);
  };
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      autoFocus={isFocused}
      value={typed}
      error={isWrong && t("web.table.notADay")}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === "Enter") commit();
      }}
    />
  );
}
