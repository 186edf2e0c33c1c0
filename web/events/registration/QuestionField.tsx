import { Checkbox, NativeSelect, Radio, Stack, Textarea, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import type { Answers, Question } from "#shared/events/eventQuestions.ts";

type Answer = Answers[string];
type Props = {
  question: Question;
  value: Answer | undefined;
  onChange: (answer: Answer) => void;
  error?: string | undefined;
};

/** A question of the form, as an input for its kind. */
export function QuestionField({
  question: { id, label, help, kind, options, required },
  value,
  onChange,
  error,
}: Props) {
  const { t } = useTranslation();
  const labelElement = required ? label : <OptionalLabel>{label}</OptionalLabel>;
  const text = typeof value === "string" ? value : "";
  const commonProps = { label: labelElement, error, size: "md" as const, ...(help && { description: help }) };
  const inputProps = { ...commonProps, name: `answers.${id}`, value: text };
  switch (kind) {
    case "text":
      return (
        <Textarea
          {...inputProps}
          autosize
          minRows={3}
          maxLength={4000}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case "select":
      return (
        <NativeSelect
          {...inputProps}
          data={[{ value: "", label: t("events.form.choose") }, ...options]}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case "choice":
      return (
        <Radio.Group {...commonProps} name={`answers.${id}`} value={text} onChange={onChange}>
          <Stack gap={10} mt={8}>
            {options.map((option) => (
              <Radio key={option} value={option} label={option} size="sm" />
            ))}
          </Stack>
        </Radio.Group>
      );
    case "choices":
      return (
        <Checkbox.Group {...commonProps} value={Array.isArray(value) ? value : []} onChange={onChange}>
          <Stack gap={10} mt={8}>
            {options.map((option) => (
              <Checkbox key={option} name={`answers.${id}`} value={option} label={option} size="sm" />
            ))}
          </Stack>
        </Checkbox.Group>
      );
    case "checkbox":
      return (
        <Checkbox
          name={`answers.${id}`}
          label={labelElement}
          size="sm"
          error={error}
          {...(help && { description: help })}
          checked={text === "yes"}
          onChange={(event) => onChange(event.currentTarget.checked ? "yes" : "")}
        />
      );
    case "date":
      return (
        <TextInput {...inputProps} type="date" onChange={(event) => onChange(event.currentTarget.value)} maw={240} />
      );
    case "phone":
      return (
        <TextInput
          {...inputProps}
          type="tel"
          autoComplete="tel"
          maxLength={40}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    default:
      return <TextInput {...inputProps} maxLength={500} onChange={(event) => onChange(event.currentTarget.value)} />;
  }
}
