const formatters = new Map<string, Intl.NumberFormat>();

/** Cached, because creating a formatter takes a thousand times longer than using it. */
function formatterFor(language: string, options: Intl.NumberFormatOptions) {
  const key = language + JSON.stringify(options);
  let formatter = formatters.get(key);
  if (!formatter) {
    formatter = new Intl.NumberFormat(language, options);
    formatters.set(key, formatter);
  }
  return formatter;
}

/** A number in a language, with at most `digits` decimals. */
export const numberIn = (language: string, value: number, digits = 0) =>
  formatterFor(language, { maximumFractionDigits: digits }).format(value);

/** A number in a few characters: 806, 1.2K, 1M. */
export const compactNumberIn = (language: string, value: number) =>
  formatterFor(language, { notation: "compact" }).format(value);
