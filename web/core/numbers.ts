const formatters = new Map<string, Intl.NumberFormat>();

/**
 * A number in a language, with at most `digits` after the point. Its formatter is kept: creating one takes a thousand
 * times longer than using it.
 */
export function numberIn(language: string, value: number, digits = 0) {
  const key = `${language} ${digits}`;
  let formatter = formatters.get(key);
  if (!formatter) {
    formatter = new Intl.NumberFormat(language, { maximumFractionDigits: digits });
    formatters.set(key, formatter);
  }
  return formatter.format(value);
}
