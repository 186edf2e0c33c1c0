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
};
