import "@mantine/dates/styles.layer.css";
import { DateInput, type DateInputProps } from "@mantine/dates";
import { useTranslation } from "react-i18next";
import { useCalendarLabels } from "#web/core/filter/useCalendarLabels.ts";

type Props = Omit<DateInputProps, "value" | "onChange"> & {
  value: string | null;
  onChange: (day: string | null) => void;
};

/** A due date: typed as `24 Dec 2026` or picked from a calendar; may be empty. */
export function DueInput({ value, onChange, ...rest }: Props) {
  const { t } = useTranslation();
  return (
    <DateInput
      label={t("courses.due.label")}
      description={t("courses.due.zone")}
      placeholder={t("courses.due.placeholder")}
      valueFormat="D MMM YYYY"
      clearable
      weekendDays={[]}
      value={value}
      onChange={onChange}
      clearButtonProps={{ "aria-label": t("courses.due.clear") }}
      ariaLabels={useCalendarLabels()}
      {...rest}
    />
  );
}
