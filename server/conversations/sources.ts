import type { Passage } from "#server/documents/retrieval/byWords.ts";
import type { TurnSource } from "#shared/conversations/conversations.ts";

const QUOTE_CHARS = 300;

/**
 * The sources of an answer: the passages whose numbers stand in brackets, renumbered in the order in which they are
 * cited. Numbers without a passage are removed.
 */
export function citeSources(text: string, passages: Passage[]): { text: string; sources: TurnSource[] } {
  const sources: TurnSource[] = [];
  const cited = text.replace(/[ \t]?\[(\d{1,2})\]/g, (whole, digits: string) => {
    const passage = passages[Number(digits) - 1];
    if (!passage) return "";
    let source = sources.find(({ passageId }) => passageId === passage.id);
    if (!source) {
      source = toSource(passage, sources.length + 1);
      sources.push(source);
    }
    return whole.replace(digits, String(source.n));
  });
  return { text: cited, sources };
}

const toSource = ({ id, text, charFrom, charTo, part, ...passage }: Passage, n: number): TurnSource => ({
  n,
  passageId: id,
  documentId: passage.documentId,
  versionId: passage.versionId,
  title: passage.title,
  heading: passage.heading,
  page: passage.page,
  quote: text.length > QUOTE_CHARS ? `${text.slice(0, QUOTE_CHARS - 1)}…` : text,
  from: charFrom,
  to: charTo,
  ...(part && { part }),
});
