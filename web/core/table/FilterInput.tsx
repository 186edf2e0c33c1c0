import { FilterMenu } from "#web/core/table/FilterMenu.tsx";
import { SearchBox } from "#web/core/table/SearchBox.tsx";
import type { Filter } from "#web/core/table/table.ts";

type Props = { filter: Filter; value: string; onChange: (value: string) => void };

/** A filter of a list: a menu of its options, or a text box. */
export const FilterInput = ({ filter: { key, label, options }, ...input }: Props) =>
  options ? <FilterMenu filter={{ key, label, options }} {...input} /> : <SearchBox label={label} {...input} />;
