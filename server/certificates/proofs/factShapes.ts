import { z } from "zod";
import type { SealedFacts } from "#shared/certificates/proof.ts";

// The two shapes of sealed facts, by their format; a field more or less is refused

const day = z.string().regex(/^\d{4}-\d\d-\d\d$/);
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const common = {
  number: z.string(),
  issuer: z.string(),
  issuerName: z.string(),
  title: z.string(),
  rule: z.string(),
  completedOn: day,
  issuedOn: day,
  validUntil: day.nullable(),
  replaces: z.string().nullable(),
  holder: hash,
  score: hash.nullable(),
  minutes: hash.nullable(),
};
const sealedFacts = z.discriminatedUnion("format", [
  z.strictObject({
    format: z.literal("lyceum-certificate-1"),
    ...common,
    course: z.string(),
    courseVersion: z.int(),
  }),
  z.strictObject({
    format: z.literal("lyceum-path-certificate-1"),
    ...common,
    path: z.string(),
    pathVersion: z.int(),
    steps: z.int(),
    courses: z.array(z.string()),
    elsewhere: z.array(z.string()),
  }),
]) satisfies z.ZodType<SealedFacts>;

export const haveShape = (facts: unknown) => sealedFacts.safeParse(facts).success;
