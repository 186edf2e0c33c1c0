import { z } from "zod";

// Text of lessons: runs with marks, links, line breaks and values of variables

/** An id that stays while a text is edited: versions, translations and answers refer to it. */
export const blockId = z.string().regex(/^[A-Za-z0-9_-]{6,64}$/);

export const MAX_RUN_CHARS = 20_000;
export const MAX_RUNS = 500;

export const mark = z.enum(["bold", "italic", "underline", "strike", "code", "subscript", "superscript"]);
export type Mark = z.infer<typeof mark>;

/** Web pages, emails and phone numbers; everything else, such as `javascript:`, is refused. */
export const linkTarget = z
  .string()
  .max(2000)
  .regex(/^(https?:\/\/|mailto:|tel:)/i);
/** A language tag (BCP 47) of a run in another language than its text. */
export const languageTag = z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/);

export const inline = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("text"),
    text: z.string().min(1).max(MAX_RUN_CHARS),
    marks: z.array(mark).max(7).optional(),
    link: linkTarget.optional(),
    language: languageTag.optional(),
  }),
  /** The value of a variable, or `fallback` for a learner without one. */
  z.object({
    kind: z.literal("variable"),
    key: z.string().min(1).max(100),
    fallback: z.string().max(500),
    marks: z.array(mark).max(7).optional(),
  }),
  z.object({ kind: z.literal("break") }),
]);
export type Inline = z.infer<typeof inline>;

/** One paragraph of text with its own id; empty while its author has not written it. */
export const richText = z.object({ id: blockId, runs: z.array(inline).max(MAX_RUNS) });
export type RichText = z.infer<typeof richText>;

const plainRun = (run: Inline) => {
  if (run.kind === "text") return run.text;
  return run.kind === "variable" ? run.fallback : "\n";
};
/** The text without marks; values of variables as their fallback. */
export const plainText = ({ runs }: RichText) => runs.map(plainRun).join("");
