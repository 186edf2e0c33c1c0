import { DayFilter } from "#web/core/filter/DayFilter.tsx";
import { FilterMenu } from "#web/core/filter/FilterMenu.tsx";
import { SearchBox } from "#web/core/filter/SearchBox.tsx";
import type { Filter } from "#web/core/filter/filter.ts";

type Props = {
  filter: Filter;
  value: string;
  onChange: (value: string) => void;
  isOpen?: boolean;
  onClose?: () => void;
};

/** A filter of a list: a menu of its options, a day, or a text box. */
export function FilterInput({ filter: { key, label, options, kind }, isOpen, onClose, ...input }: Props) {
  if (options) return <FilterMenu filter={{ key, label, options }} isOpen={isOpen} {...input} />;
  if (kind === "day") return <DayFilter label={label} isOpen={isOpen} onClose={onClose} {...input} />;
  return <SearchBox label={label} isFocused={isOpen} {...input} />;
}
