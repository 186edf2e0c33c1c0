/** The decimal places of a currency. */
export const minorDigits = (currency: string) =>
  new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;

/** A price of a currency in a language: “€ 120.00”; null without one. */
export const formatPrice = (language: string, priceMinor: number | null, currency: string | null) =>
  priceMinor === null || !currency
    ? null
    : new Intl.NumberFormat(language, { style: "currency", currency }).format(priceMinor / 10 ** minorDigits(currency));
