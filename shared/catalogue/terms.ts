import { z } from "zod";
import { languageTag } from "#shared/lessons/richText.ts";

// The terms on which a company offers a course to its people

export const MAX_PLACES = 100_000;
/** The highest price, in the smallest unit of its currency. */
export const MAX_PRICE = 1_000_000_000;
export const MAX_PREREQUISITES = 10;
export const MAX_LANGUAGES = 10;

/** How people get the course: they enrol themselves, they ask their manager, or not by the catalogue. */
export const offerWay = z.enum(["self", "request", "none"]);
export type OfferWay = z.infer<typeof offerWay>;

const price = z.object({
  /** In the smallest unit of the currency. */
  priceMinor: z.int().min(0).max(MAX_PRICE).nullable().default(null),
  /** ISO 4217. */
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .nullable()
    .default(null),
});
const terms = price.extend({
  isVisible: z.boolean().default(true),
  way: offerWay,
  /** Null: any number. */
  places: z.int().min(1).max(MAX_PLACES).nullable().default(null),
  costCentre: z.string().trim().max(80).default(""),
  languages: z.array(languageTag).max(MAX_LANGUAGES).default([]),
  /** Courses that have to be completed first. */
  requires: z.array(z.uuid()).max(MAX_PREREQUISITES).default([]),
});

/** The currency codes that browsers and the server know. */
const isCurrency = (code: string) => Intl.supportedValuesOf("currency").includes(code);

export const offerTerms = terms.superRefine(({ priceMinor, currency, languages, requires }, ctx) => {
  const add = (path: keyof z.infer<typeof terms>, message: string) =>
    ctx.addIssue({ code: "custom", path: [path], message });
  if (priceMinor !== null && currency === null) add("currency", "catalogue.noCurrency");
  if (priceMinor === null && currency !== null) add("priceMinor", "catalogue.noPrice");
  if (currency !== null && /^[A-Z]{3}$/.test(currency) && !isCurrency(currency))
    add("currency", "catalogue.unknownCurrency");
  if (new Set(languages).size < languages.length) add("languages", "catalogue.twice");
  if (new Set(requires).size < requires.length) add("requires", "catalogue.twice");
});
export type OfferTerms = z.infer<typeof offerTerms>;

export const storedTerms = terms;
