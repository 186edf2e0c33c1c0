import { Select, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { DayInput } from "#web/learners/DayInput.tsx";
import { type Field, MAX_FIELD_TEXT } from "#shared/fields/fields.ts";

type Props = { field: Field; value: string; error: ReactNode; onChange: (value: string) => void };

/** An input for the value of a field, as text; empty for none. */
export function FieldInput({ field: { name, kind, choices }, value, error, onChange }: Props) {
  const label = <OptionalLabel>{name}</OptionalLabel>;
  if (kind === "choice")
    return (
      <Select
        label={label}
        error={error}
        clearable
        searchable={choices.length > 8}
        data={choices.map((choice) => ({ value: choice.id, label: choice.name }))}
        value={value || null}
        onChange={(id) => onChange(id ?? "")}
      />
    );
  if (kind === "date")
    return <DayInput label={label} error={error} value={value || null} onChange={(day) => onChange(day ?? "")} />;
  return (
    <TextInput
      label={label}
      error={error}
      autoComplete="off"
      maxLength={MAX_FIELD_TEXT}
      {...(kind === "number" && { inputMode: "decimal" as const })}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
