/** A filter with options is a menu, one without is a text box, or an input for a calendar day. */
export type Filter = {
  key: string;
  label: string;
  options?: { value: string; label: string }[];
  kind?: "day";
  /** Offered under "More filters" until it is set. */
  isRare?: true;
  /** What an empty filter means, if it is not "All". */
  unset?: string;
  /** The query field that takes this filter with others, as `key=value&key=value`, instead of one named `key`. */
  of?: string;
};

/** The query of filters by their values: those of one query field together. */
export function filterQuery(filters: Filter[], values: Record<string, string>): Record<string, string> {
  const joined = new Map<string, URLSearchParams>();
  const query: Record<string, string> = {};
  for (const [key, value] of Object.entries(values)) {
    const of = filters.find((filter) => filter.key === key)?.of;
    if (!of) query[key] = value;
    else joined.set(of, new URLSearchParams([...(joined.get(of) ?? []), [key, value]]));
  }
  return { ...query, ...Object.fromEntries([...joined].map(([of, pairs]) => [of, pairs.toString()])) };
}
