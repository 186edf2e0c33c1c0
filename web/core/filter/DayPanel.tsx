import "@mantine/dates/styles.layer.css";
import { DatePicker } from "@mantine/dates";
import { useTranslation } from "react-i18next";
import { DayText } from "#web/core/filter/DayText.tsx";
import { useCalendarLabels } from "#web/core/filter/useCalendarLabels.ts";

type Props = { label: string; value: string; onChange: (day: string) => void };

/** A day, typed or chosen in a calendar. */
export function DayPanel({ label, value, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <DayText label={label} placeholder={t("web.table.dayExample")} value={value} onChange={onChange} />
      <DatePicker
        mt="sm"
        weekendDays={[]}
        ariaLabels={useCalendarLabels()}
        value={value || null}
        {...(value && { defaultDate: value })}
        onChange={(day) => onChange(day ?? "")}
      />
    </>
  );
}
