import type { Passage as GatewayPassage } from "#server/connectors/gatewayCall.ts";
import type { Passage } from "#server/documents/retrieval/retrieve.ts";

/** Maximum number of passages for an answer. */
export const PASSAGES = 6;

export const toGatewayPassage = ({ id, documentId, title, heading, page, text, score }: Passage): GatewayPassage => ({
  id,
  documentId,
  title,
  heading,
  page,
  text,
  score,
});
