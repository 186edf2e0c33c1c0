import { expect, test } from "vitest";
import { createMaskedTexts } from "#web/shell/recording/maskedTexts.ts";

test("masks typed text wherever it occurs, in any case, and its words as whole words", () => {
  const texts = createMaskedTexts([]);
  texts.setCurrent({}, "Anna Smith");
  expect(texts.mask("Hello ANNA, dear anna smith. Annapolis is xAnna Smithx.")).toBe(
    "Hello ****, dear **********. Annapolis is x**********x.",
  );
  expect(texts.mask("An Ann is no part of it")).toBe("An Ann is no part of it");
});

test("goes on masking what a field held before it was emptied, and while it was typed", () => {
  const texts = createMaskedTexts([]);
  const field = {};
  for (const text of ["U", "Ul", "Ulr", "Ulrike", ""]) texts.setCurrent(field, text);
  expect(texts.mask("Ulrike was Ulr")).toBe("****** was ***");
  texts.setCurrent(field, "7");
  expect(texts.mask("7 of 17, h7")).toBe("* of 17, h7");
});

test("masks names of two letters, languages without spaces, and pattern characters", () => {
  const texts = createMaskedTexts(["Bo Li"]);
  texts.hide("田中太郎");
  texts.hide("a.b*c(d)[e]");
  texts.hide("🙂🙂");
  expect(texts.mask("Li and Bo: 田中太郎さん, a.b*c(d)[e], axbbc 🙂🙂")).toBe(
    "** and **: ****さん, **********], axbbc ****",
  );
});

test("masks every text once more words were typed than are kept", () => {
  const texts = createMaskedTexts([]);
  const word = (n: number) => `word${n.toString(36)}`;
  for (let n = 0; n < 30; n++) texts.endRun(Array.from({ length: 800 }, (_, m) => word(n * 800 + m)).join(" "));
  expect(texts.mask("nothing typed")).toBe("*************");
});

test("names of elements are masked for whole values only", () => {
  const texts = createMaskedTexts([]);
  texts.hide("the left button");
  expect(texts.mask("left button")).toBe("**** ******");
  expect(texts.maskValues("left button")).toBe("left button");
});

const forms: [string, string][] = [
  ["upper case", "WILHELMINA GRÜN"],
  ["lower case", "wilhelmina grün"],
  ["no diacritics", "Wilhelmina Grun"],
  ["decomposed letters", "Wilhelmina Grün".normalize("NFD")],
  ["collapsed white space", "Wilhelmina\n\t Grün"],
  ["no white space", "WilhelminaGrün"],
  ["a slug", "wilhelmina-grun"],
  ["an address", "wilhelmina_grün"],
  ["an encoded address", encodeURIComponent("Wilhelmina Grün")],
  ["an encoded form", "Wilhelmina+Gr%C3%BCn"],
  ["reversed letters", [..."Wilhelmina Grün"].toReversed().join("")],
  ["base64", Buffer.from("Wilhelmina Grün").toString("base64")],
  ["spaces between letters", [..."Wilhelmina"].join(" ")],
  ["hyphens between letters", [..."WILHELMINA"].join("-")],
];
for (const [name, shown] of forms)
  test(`a typed text is masked with ${name}`, () => {
    const texts = createMaskedTexts([]);
    texts.setCurrent({}, " Wilhelmina Grün ");
    const masked = texts.mask(`Hello ${shown}!`);
    expect(masked).toMatch(/^Hello [^a-z]+!$/i);
  });

test("escaped characters of a typed text are masked", () => {
  const texts = createMaskedTexts([]);
  texts.hide("O'Hara & <Sons>");
  expect(texts.mask("By O&#39;Hara &amp; &lt;Sons&gt;.")).toMatch(/^By [^a-z]+&gt;\.$/i);
});

const authored: [string, string[], string][] = [
  ["an address of a learner", ["learner@mail.com"], "See www.scorm.com and http://mail.com/start, a com port."],
  ["a typed ending", ["com"], "See www.scorm.com, scorm.com and https://scorm.com/a."],
  ["a typed www", ["www"], "See www.scorm.com."],
  ["words of a typed text", ["the scorm net"], "See www.scorm.net, https://scorm.com."],
  ["a part of a word", ["age", "ion"], "Manage the page of pagination."],
];
for (const [name, hidden, text] of authored)
  test(`a text of the author stays whole beside ${name}`, () => {
    const texts = createMaskedTexts(hidden.filter((one) => one.includes("@")));
    for (const one of hidden) if (!one.includes("@")) texts.hide(one);
    expect(texts.mask(text)).toBe(text);
  });

test("whole values are masked in addresses too", () => {
  const texts = createMaskedTexts(["kim.lund@mail.com"]);
  texts.hide("Wilhelmina");
  expect(texts.mask("https://wilhelmina.example/?q=wilhelmina, kim.lund@mail.com, kim@other.org")).toBe(
    "https://**********.example/?q=**********, *****************, ***@other.org",
  );
});

test("a choice that an author offers is not masked, unless it was typed", () => {
  const texts = createMaskedTexts([]);
  texts.offer("Safety officer");
  texts.hide("Safety officer");
  expect(texts.mask("Every safety officer knows")).toBe("Every safety officer knows");
  texts.setCurrent({}, "Safety officer");
  expect(texts.mask("Every safety officer knows")).toBe("Every ************** knows");
});

test("masking a long page takes a bounded time, with as many values as are kept", () => {
  const texts = createMaskedTexts([]);
  for (let n = 0; n < 400; n++) texts.hide(`value ${n} aaaaaa ${"ab ".repeat(40)}`);
  const start = performance.now();
  texts.mask(`${"value a aaaaaa ab ab ab ab. ".repeat(4000)}${"a ".repeat(20_000)}${"aaaa".repeat(5000)}`);
  expect(performance.now() - start).toBeLessThan(2000);
});
