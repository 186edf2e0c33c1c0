import { Group, Input } from "@mantine/core";
import { TimePicker } from "@mantine/dates";
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { DayInput } from "#web/learners/DayInput.tsx";

type Props = {
  label: string;
  optional?: ReactNode;
  value: string | null;
  onChange: (wall: string) => void;
  error?: ReactNode;
  description?: ReactNode;
  clearable?: boolean;
  onClear?: () => void;
};

/** Date and time in the time zone of the event, as `2026-11-26T14:00`. */
export function LocalTimeField({
  label,
  optional,
  value,
  onChange,
  onClear,
  error,
  description,
  clearable = false,
}: Props) {
  const { t } = useTranslation();
  const id = useId();
  const [day, time] = [value?.slice(0, 10) || null, value?.slice(11) ?? ""];
  const set = (nextDay: string | null, nextTime: string) =>
    nextDay ? onChange(`${nextDay}T${nextTime || "09:00"}`) : onClear?.();
  return (
    <Input.Wrapper
      label={
        <>
          {label}
          {optional}
        </>
      }
      labelElement="div"
      error={error}
      description={description}
      role="group"
      labelProps={{ id }}
      aria-labelledby={id}
    >
      <Group gap={8} wrap="nowrap" mt={description ? 6 : 0} mb={error ? 6 : 0}>
        <DayInput
          aria-label={t("events.edit.dayOf", { label })}
          value={day}
          error={Boolean(error)}
          clearable={clearable}
          styles={{ wrapper: { maxWidth: "none" } }}
          flex={1}
          onChange={(next) => set(next, time)}
        />
        <TimePicker
          w={84}
          size="sm"
          format="24h"
          value={time}
          error={Boolean(error)}
          disabled={!day}
          hoursInputLabel={t("events.edit.hoursOf", { label })}
          minutesInputLabel={t("events.edit.minutesOf", { label })}
          onChange={(next) => day && next && set(day, next.slice(0, 5))}
        />
      </Group>
    </Input.Wrapper>
  );
}
