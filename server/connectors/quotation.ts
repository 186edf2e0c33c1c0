import type { Passage, Quote } from "#server/connectors/gatewayCall.ts";
import connectorTexts from "#shared/locales/en/connectors.json" with { type: "json" };

const texts = connectorTexts.quotation;

// The built-in connector answers by quoting the sentences that the retrieval has chosen

/** A part of an answer: text, and its source if it is a quote. */
export type QuotedPart = { text: string; quote?: Quote };
export type QuotedAnswer = { parts: QuotedPart[]; isRefused: boolean };

/** Quotes the sentences of passages; a refusal if there are none. `passages` is undefined if nothing was searched. */
export function quote(passages: Passage[] | undefined): QuotedAnswer {
  const quotes = (passages ?? []).flatMap(({ id, text, quotes: ranges }) =>
    ranges.map(({ start, end }) => ({ passageId: id, start, end, sentence: text.slice(start, end) })),
  );
  if (quotes.length === 0)
    return { parts: [{ text: passages ? texts.nothingFits : texts.noPassages }], isRefused: true };
  const parts = quotes.map(({ sentence, ...range }, at) => ({
    text: `${at > 0 ? "\n\n" : ""}“${sentence}”`,
    quote: range,
  }));
  return { parts: [{ text: `${texts.intro}\n\n` }, ...parts], isRefused: false };
}
