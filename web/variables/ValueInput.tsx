import {
  Input,
  MultiSelect,
  NumberInput,
  SegmentedControl,
  Select,
  TagsInput,
  Textarea,
  TextInput,
} from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ValueHistory } from "#shared/rawData/rawData.ts";
import type { VariableValue } from "#shared/variables/variableTypes.ts";

type Rules = Pick<ValueHistory, "type" | "unit" | "constraints">;
/** A value being edited: a list for several options, otherwise a text or a number. */
export type ValueDraft = string | number | string[];

export function draftOf(value: VariableValue, { type }: Rules): ValueDraft {
  if (type === "multi") return Array.isArray(value) ? value.map(String) : [];
  if (value === null) return "";
  if (type === "json") return JSON.stringify(value, null, 2);
  if (typeof value === "number" || typeof value === "string") return value;
  return typeof value === "boolean" ? String(value) : JSON.stringify(value);
}

type Read = { value: VariableValue; error?: never } | { error: "required" | "badJson"; value?: never };
/** The value for the server, which checks type and limits. */
export function readDraft(draft: ValueDraft, { type }: Rules): Read {
  if (type === "multi") return { value: draft as string[] };
  if (draft === "") return { error: "required" };
  if (type === "boolean") return { value: draft === "true" };
  if (type !== "json") return { value: draft };
  try {
    return { value: JSON.parse(String(draft)) as VariableValue };
  } catch {
    return { error: "badJson" };
  }
}

type Props = {
  rules: Rules;
  label: string;
  value?: ValueDraft;
  onChange: (draft: ValueDraft) => void;
  error?: ReactNode;
};

/** An input for a value of the type of its variable. */
export function ValueInput({ rules, label, value = "", onChange, error }: Props) {
  const { t } = useTranslation();
  const { type, unit, constraints } = rules;
  const { options = [], maxLength } = constraints;
  const shared = { label, error, "data-autofocus": true };
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  const list = Array.isArray(value) ? value : [];
  if (type === "number" || type === "duration")
    return (
      <NumberInput
        {...shared}
        {...(type === "duration" && { description: t("rawData.correct.seconds") })}
        {...(unit && { suffix: ` ${unit}` })}
        step={constraints.step ?? 1}
        value={typeof value === "number" ? value : text}
        onChange={onChange}
      />
    );
  if (type === "boolean")
    return (
      <Input.Wrapper label={label} error={error} labelElement="div">
        <SegmentedControl
          fullWidth
          mt={4}
          aria-label={label}
          value={text}
          onChange={onChange}
          data={[
            { value: "true", label: t("variables.yes") },
            { value: "false", label: t("variables.no") },
          ]}
        />
      </Input.Wrapper>
    );
  if (type === "multi")
    return options.length > 0 ? (
      <MultiSelect {...shared} data={options} value={list} onChange={onChange} />
    ) : (
      <TagsInput {...shared} value={list} onChange={onChange} />
    );
  if (type === "choice" && options.length > 0)
    return <Select {...shared} data={options} value={text} onChange={(next) => onChange(next ?? "")} />;
  if (type === "text" || type === "json")
    return (
      <Textarea
        {...shared}
        {...(type === "json" && { description: t("rawData.correct.json"), ff: "monospace" })}
        {...(type === "text" && maxLength && { maxLength })}
        autosize
        minRows={2}
        maxRows={10}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  return (
    <TextInput
      {...shared}
      {...(type === "date" && { type: "date" })}
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
