import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { TranscriptFacts } from "#shared/transcripts/transcripts.ts";

/** SHA-256 of facts as canonical JSON (RFC 8785), 64 hex digits: the same whatever the order of their keys. */
export const digestOf = (facts: TranscriptFacts) =>
  createHash("sha256")
    .update(canonicalize(facts) as string)
    .digest("hex");
