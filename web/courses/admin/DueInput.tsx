import "@mantine/dates/styles.layer.css";
import { DateInput, type DateInputProps } from "@mantine/dates";
import { useTranslation } from "react-i18next";

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
      ariaLabels={{
        previousMonth: t("courses.due.previousMonth"),
        nextMonth: t("courses.due.nextMonth"),
        previousYear: t("courses.due.previousYear"),
        nextYear: t("courses.due.nextYear"),
        previousDecade: t("courses.due.previousYears"),
        nextDecade: t("courses.due.nextYears"),
        monthLevelControl: t("courses.due.chooseMonth"),
        yearLevelControl: t("courses.due.chooseYear"),
      }}
      {...rest}
    />
  );
}
