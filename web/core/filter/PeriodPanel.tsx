import "@mantine/dates/styles.layer.css";
import { UnstyledButton } from "@mantine/core";
import { DatePicker, type DatesRangeValue } from "@mantine/dates";
import { IconCheck } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { DayText } from "#web/core/filter/DayText.tsx";
import type { Period, PeriodPreset } from "#web/core/filter/period.ts";
import classes from "#web/core/filter/PeriodPanel.module.css";
import { useCalendarLabels } from "#web/core/filter/useCalendarLabels.ts";

type Props = Period & {
  presets: PeriodPreset[];
  preset: number | null;
  onPreset: (days: number) => void;
  onChange: (period: Period) => void;
  onClose: () => void;
};

/** Presets, two days to type, and a calendar in which a period takes two clicks. */
export function PeriodPanel({ from, to, presets, preset, onPreset, onChange, onClose }: Props) {
  const { t } = useTranslation();
  const [range, setRange] = useState<DatesRangeValue<string>>([from, to]);
  const labels = useCalendarLabels();
  const choose = (next: DatesRangeValue<string>) => {
    setRange(next);
    const [first, last] = next;
    if (!first || !last) return;
    onChange({ from: first, to: last });
    onClose();
  };
  const type = (period: Period) => {
    setRange([period.from, period.to]);
    onChange(period);
  };
  return (
    <div className={classes.panel}>
      <div className={classes.presets}>
        {presets.map(({ days, label }, index) => (
          <UnstyledButton
            key={days}
            className={classes.preset}
            autoFocus={index === 0}
            aria-pressed={days === preset}
            onClick={() => {
              onPreset(days);
              onClose();
            }}
          >
            {label}
            {days === preset && <IconCheck size={16} aria-hidden />}
          </UnstyledButton>
        ))}
      </div>
      <div className={classes.days}>
        <div className={classes.typed}>
          <DayText
            label={t("web.table.from")}
            value={from}
            onChange={(day) => day && type({ from: day, to: day > to ? day : to })}
          />
          <DayText
            label={t("web.table.to")}
            value={to}
            onChange={(day) => day && type({ from: day < from ? day : from, to: day })}
          />
        </div>
        <DatePicker
          type="range"
          allowSingleDateInRange
          weekendDays={[]}
          ariaLabels={labels}
          defaultDate={to}
          value={range}
          onChange={choose}
        />
      </div>
    </div>
  );
}
