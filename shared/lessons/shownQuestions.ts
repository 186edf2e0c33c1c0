import { z } from "zod";
import {
  fill,
  match,
  multiple,
  number,
  order,
  type Question,
  shortText,
  single,
  trueFalse,
} from "#shared/lessons/questions.ts";
import { blockId, type RichText, richText } from "#shared/lessons/richText.ts";

// A question as learners see it, apart from its key: what is right, and what is said of answers

const texts = z.array(z.object({ id: blockId, text: richText }));

export const solution = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("choices"), right: z.array(blockId) }),
  z.object({ kind: z.literal("trueFalse"), isTrue: z.boolean() }),
  /** The right id by the left one. */
  z.object({ kind: z.literal("match"), pairs: z.record(blockId, blockId) }),
  z.object({ kind: z.literal("order"), ids: z.array(blockId) }),
  z.object({
    kind: z.literal("fill"),
    gaps: z.record(blockId, z.object({ answers: z.array(z.string()), caseSensitive: z.boolean() })),
  }),
  z.object({ kind: z.literal("number"), answer: z.number(), tolerance: z.number() }),
  z.object({ kind: z.literal("text"), answers: z.array(z.string()), caseSensitive: z.boolean() }),
]);
export type Solution = z.infer<typeof solution>;

export const questionKey = z.object({
  solution,
  right: richText.nullable(),
  wrong: richText.nullable(),
  /** Said of a choice that was chosen, by its id. */
  choices: z.record(blockId, richText),
});
export type QuestionKey = z.infer<typeof questionKey>;

/** `key` is null while it must not be known: in a graded question that is sent to a browser. */
const shown = { feedback: true } as const;
const withKey = { key: questionKey.nullable() };
export const shownQuestion = z.discriminatedUnion("kind", [
  single.omit({ ...shown, shuffle: true }).extend({ ...withKey, choices: texts }),
  multiple.omit({ ...shown, shuffle: true }).extend({ ...withKey, choices: texts }),
  trueFalse.omit({ ...shown, isTrue: true }).extend(withKey),
  match.omit({ ...shown, pairs: true }).extend({ ...withKey, lefts: texts, rights: texts }),
  order.omit(shown).extend({ ...withKey, items: texts }),
  fill.omit(shown).extend({
    ...withKey,
    pieces: z.array(
      z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("text"), text: z.string() }),
        z.object({ kind: z.literal("gap"), id: blockId }),
      ]),
    ),
  }),
  number.omit({ ...shown, answer: true, tolerance: true }).extend(withKey),
  shortText.omit({ ...shown, answers: true, caseSensitive: true }).extend(withKey),
]);
export type ShownQuestion = z.infer<typeof shownQuestion>;

/** Puts things into an order that is always the same for the same name. */
export type Shuffle = <T extends { id: string }>(list: T[]) => T[];

/** Takes a question apart. What is to be put in order or matched is always shuffled. */
export function toShown(question: Question, shuffle: Shuffle): ShownQuestion {
  const { feedback, ...rest } = question;
  const keyOf = (answer: Solution, choices: Record<string, RichText> = {}): QuestionKey => ({
    solution: answer,
    ...feedback,
    choices,
  });
  switch (rest.kind) {
    case "single":
    case "multiple": {
      const { choices, shuffle: isShuffled, ...other } = rest;
      const listed = choices.map(({ id, text }) => ({ id, text }));
      const said = choices.flatMap((choice) => (choice.feedback ? [[choice.id, choice.feedback] as const] : []));
      const right = choices.filter(({ isRight }) => isRight).map(({ id }) => id);
      return {
        ...other,
        choices: isShuffled ? shuffle(listed) : listed,
        key: keyOf({ kind: "choices", right }, Object.fromEntries(said)),
      };
    }
    case "trueFalse": {
      const { isTrue, ...other } = rest;
      return { ...other, key: keyOf({ kind: "trueFalse", isTrue }) };
    }
    case "match": {
      const { pairs, ...other } = rest;
      return {
        ...other,
        lefts: pairs.map(({ id, left }) => ({ id, text: left })),
        rights: shuffle(pairs.map(({ rightId, right }) => ({ id: rightId, text: right }))),
        key: keyOf({ kind: "match", pairs: Object.fromEntries(pairs.map(({ id, rightId }) => [id, rightId])) }),
      };
    }
    case "order":
      return {
        ...rest,
        items: unsolved(shuffle(rest.items), rest.items),
        key: keyOf({ kind: "order", ids: rest.items.map(({ id }) => id) }),
      };
    case "fill": {
      const gaps = rest.pieces.flatMap((piece) =>
        piece.kind === "gap"
          ? [[piece.id, { answers: piece.answers, caseSensitive: piece.caseSensitive }] as const]
          : [],
      );
      return {
        ...rest,
        pieces: rest.pieces.map((piece) => (piece.kind === "gap" ? { kind: "gap", id: piece.id } : piece)),
        key: keyOf({ kind: "fill", gaps: Object.fromEntries(gaps) }),
      };
    }
    case "number": {
      const { answer, tolerance, ...other } = rest;
      return { ...other, key: keyOf({ kind: "number", answer, tolerance }) };
    }
    case "shortText": {
      const { answers, caseSensitive, ...other } = rest;
      return { ...other, key: keyOf({ kind: "text", answers, caseSensitive }) };
    }
  }
}

/** The shuffled list, one place further if it happens to be in the right order. */
function unsolved<T extends { id: string }>(shuffled: T[], solved: T[]): T[] {
  const isSolved = shuffled.every(({ id }, at) => id === solved[at]?.id);
  return isSolved ? [...shuffled.slice(1), ...shuffled.slice(0, 1)] : shuffled;
}
