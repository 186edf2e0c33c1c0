import { TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import classes from "#web/core/table/DataTable.module.css";
import { day } from "#shared/core/dates.ts";

type Props = { label: string; value: string; onChange: (value: string) => void };

/** A calendar day as a filter, with its label inside. An incompletely typed year (`0002`) is ignored. */
export function DayFilter({ label, value, onChange }: Props) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const type = (next: string) => {
    setTyped(next);
    if (next === "" || day.safeParse(next).success) onChange(next);
  };
  return (
    <TextInput
      type="date"
      aria-label={label}
      className={classes.day}
      style={{ "--label": `${label.length}ch` }}
      data-on={value !== "" || undefined}
      leftSection={<span aria-hidden>{label}</span>}
      leftSectionWidth={`calc(${label.length}ch + 20px)`}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}
