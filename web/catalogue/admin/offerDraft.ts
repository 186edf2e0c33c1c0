import type { Offer } from "#shared/catalogue/catalogue.ts";
import { minorDigits } from "#shared/catalogue/prices.ts";
import type { OfferTerms } from "#shared/catalogue/terms.ts";

/** An offer as it is typed. */
export type OfferDraft = Omit<OfferTerms, "priceMinor" | "currency"> & { price: string; currency: string };

export const emptyDraft: OfferDraft = {
  isVisible: true,
  way: "self",
  places: null,
  price: "",
  currency: "",
  costCentre: "",
  languages: [],
  requires: [],
};

export const draftOf = (offer: Offer): OfferDraft => ({
  isVisible: offer.isVisible,
  way: offer.way,
  places: offer.places,
  price:
    offer.priceMinor === null || !offer.currency
      ? ""
      : (offer.priceMinor / 10 ** minorDigits(offer.currency)).toFixed(minorDigits(offer.currency)),
  currency: offer.currency ?? "",
  costCentre: offer.costCentre,
  languages: offer.languages,
  requires: offer.requires,
});

const digitsOf = (currency: string) => {
  try {
    return minorDigits(currency);
  } catch {
    // Not a currency, which the server says.
    return 2;
  }
};

/** The terms of a draft; null if the price is not an amount of its currency. */
export function termsOf({ price, currency: typed, ...draft }: OfferDraft): OfferTerms | null {
  const currency = typed.trim().toUpperCase();
  const amount = price.trim().replace(",", ".");
  if (amount === "") return { ...draft, priceMinor: null, currency: currency || null };
  const digits = digitsOf(currency);
  const found = /^\d{1,10}(?:\.(\d+))?$/.exec(amount);
  if (!found || (found[1] ?? "").length > digits) return null;
  return { ...draft, priceMinor: Math.round(Number(amount) * 10 ** digits), currency: currency || null };
}
