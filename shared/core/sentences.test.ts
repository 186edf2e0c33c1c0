import { expect, test } from "vitest";
import { createSentences } from "#shared/core/sentences.ts";

const textsOf = (sentences: ReturnType<ReturnType<typeof createSentences>>) => sentences.map(({ text }) => text);

test("returns each sentence of a growing text once, and the rest at its end", () => {
  const next = createSentences();
  expect(textsOf(next("Wear a helmet. Gloves", false))).toEqual(["Wear a helmet."]);
  expect(textsOf(next("Wear a helmet. Gloves are in", false))).toEqual([]);
  expect(textsOf(next("Wear a helmet. Gloves are in room 4", true))).toEqual(["Gloves are in room 4"]);
});

test("starts again if another text replaces the sentences that were returned", () => {
  const next = createSentences();
  expect(textsOf(next("Ask your supervisor, whose address is on the page. You", false))).toHaveLength(1);
  expect(textsOf(next("Nothing in the documents answers that. ", false))).toEqual([
    "Nothing in the documents answers that.",
  ]);
  expect(textsOf(next("Nothing in the documents answers that. Ask again.", true))).toEqual(["Ask again."]);
});
