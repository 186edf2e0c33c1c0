import "@mantine/dates/styles.layer.css";
import { DateInput, type DateInputProps } from "@mantine/dates";
import { useDisclosure } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import { useCalendarLabels } from "#web/core/filter/useCalendarLabels.ts";

type Props = Omit<DateInputProps, "value" | "onChange"> & {
  value: string | null;
  onChange: (day: string | null) => void;
};

/** A calendar day as `2026-12-12`, typed or picked. Escape closes the calendar before the surrounding dialog. */
export function DayInput({ onChange, ...props }: Props) {
  const { t } = useTranslation();
  const [picking, { open, close }] = useDisclosure();
  return (
    <DateInput
      valueFormat="D MMM YYYY"
      clearable
      clearButtonProps={{ "aria-label": t("learners.clear") }}
      styles={{ wrapper: { maxWidth: 240 } }}
      weekendDays={[]}
      ariaLabels={useCalendarLabels()}
      {...props}
      onChange={(day) => {
        onChange(day);
        close();
      }}
      onFocus={open}
      onClick={open}
      onBlur={close}
      onKeyDown={(event) => event.key === "Escape" && close()}
      popoverProps={{ opened: picking }}
      {...(picking && { "data-mantine-stop-propagation": true })}
    />
  );
}
