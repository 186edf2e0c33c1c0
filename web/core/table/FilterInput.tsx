import { DayFilter } from "#web/core/table/DayFilter.tsx";
import { FilterMenu } from "#web/core/table/FilterMenu.tsx";
import { SearchBox } from "#web/core/table/SearchBox.tsx";
import type { Filter } from "#web/core/table/table.ts";

type Props = { filter: Filter; value: string; onChange: (value: string) => void };

/** A filter of a list: a menu of its options, a day, or a text box. */
export function FilterInput({ filter: { key, label, options, kind }, ...input }: Props) {
  if (options) return <FilterMenu filter={{ key, label, options }} {...input} />;
  return kind === "day" ? <DayFilter label={label} {...input} /> : <SearchBox label={label} {...input} />;
}
