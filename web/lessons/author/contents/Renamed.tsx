import { TextInput } from "@mantine/core";
import { useRef } from "react";
import classes from "#web/lessons/author/contents/contents.module.css";

type Props = {
  value: string;
  label: string;
  placeholder?: string;
  isOpen: boolean;
  /** The new name, or null if it stays. */
  onDone: (title: string | null) => void;
};

/** A name, or a field to change it: Enter and leaving keep the change, Escape drops it. */
export function Renamed({ value, label, placeholder = "", isOpen, onDone }: Props) {
  const isDone = useRef(false);
  if (!isOpen) return <h3 className={classes.moduleName}>{value || placeholder}</h3>;
  const end = (title: string | null) => {
    if (isDone.current) return;
    isDone.current = true;
    onDone(title);
    isDone.current = false;
  };
  return (
    <TextInput
      size="xs"
      className={classes.field ?? ""}
      aria-label={label}
      defaultValue={value}
      maxLength={200}
      autoFocus
      onFocus={(event) => event.currentTarget.select()}
      onBlur={(event) => end(event.currentTarget.value.trim())}
      onKeyDown={(event) => {
        if (event.key === "Enter") end(event.currentTarget.value.trim());
        if (event.key === "Escape") end(null);
      }}
    />
  );
}
