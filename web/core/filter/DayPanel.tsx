import "@mantine/dates/styles.layer.css";
import { DatePicker } from "@mantine/dates";
import { useTranslation } from "react-i18next";
import { useIsPhone } from "#web/core/display/useIsPhone.ts";
import { DayText } from "#web/core/filter/DayText.tsx";
import { useCalendarLabels } from "#web/core/filter/useCalendarLabels.ts";

type Props = { label: string; value: string; onChange: (day: string) => void; onClose: () => void };

/** A day, typed or chosen in a calendar. */
export function DayPanel({ label, value, onChange }: Props) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  return (
    <>
      <DayText
        label={label}
        placeholder={t("web.table.dayExample")}
        value={value}
        onChange={onChange}
        isFocused={!isPhone}
      />
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
