import { lazyDialog } from "#web/core/dialog/lazyDialog.tsx";
import { FilterChip } from "#web/core/filter/FilterChip.tsx";
import { formatDate } from "#web/core/format/format.ts";

const DayPanel = lazyDialog(() => import("#web/core/filter/DayPanel.tsx").then(({ DayPanel }) => DayPanel));

type Props = {
  label: string;
  /** A calendar day, `2026-12-12`, or empty. */
  value: string;
  onChange: (value: string) => void;
  isOpen?: boolean;
  onClose?: (() => void) | undefined;
};

/** A calendar day as a filter. */
export const DayFilter = ({ label, value, onChange, ...open }: Props) => (
  <FilterChip
    label={label}
    chosen={value ? formatDate(value) : null}
    onClear={value ? () => onChange("") : undefined}
    preload={DayPanel.preload}
    {...open}
  >
    {(close) => (
      <DayPanel
        onClose={close}
        label={label}
        value={value}
        onChange={(day) => {
          onChange(day);
          close();
        }}
      />
    )}
  </FilterChip>
);
