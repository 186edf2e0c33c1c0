import { expect, test } from "vitest";
import { createHiddenTexts } from "#web/shell/recording/hiddenTexts.ts";

test("masks what was typed wherever it stands, in any case, and its words as whole words", () => {
  const texts = createHiddenTexts([]);
  texts.setCurrent({}, "Anna Smith");
  expect(texts.mask("Hello ANNA, dear anna smith. Annapolis is xAnna Smithx.")).toBe(
    "Hello ****, dear **********. Annapolis is x**********x.",
  );
  expect(texts.mask("An Ann is no part of it")).toBe("An Ann is no part of it");
});

test("goes on masking what a field held before it was emptied, and while it was typed", () => {
  const texts = createHiddenTexts([]);
  const field = {};
  for (const text of ["U", "Ul", "Ulr", "Ulrike", ""]) texts.setCurrent(field, text);
  expect(texts.mask("Ulrike was Ulr")).toBe("****** was ***");
  texts.setCurrent(field, "7");
  expect(texts.mask("7 of 17, h7")).toBe("* of 17, h7");
});

test("masks names of two letters, languages without spaces, and characters with a meaning in patterns", () => {
  const texts = createHiddenTexts(["Bo Li"]);
  texts.hide("田中太郎");
  texts.hide("a.b*c(d)[e]");
  expect(texts.mask("Li and Bo: 田中太郎さん, a.b*c(d)[e], axbbc")).toBe("** and **: ****さん, ***********, axbbc");
});

test("names of elements are masked for whole values only", () => {
  const texts = createHiddenTexts([]);
  texts.hide("the left button");
  expect(texts.mask("left button")).toBe("**** ******");
  expect(texts.maskValues("left button")).toBe("left button");
});
