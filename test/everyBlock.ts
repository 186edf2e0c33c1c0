import type { LessonBlock } from "#shared/lessons/blocks.ts";
import type { LessonDocument } from "#shared/lessons/lessonDocument.ts";
import type { Question } from "#shared/lessons/questions.ts";
import type { Inline, RichText } from "#shared/lessons/richText.ts";

// A lesson with every kind of block and question, every mark and every option

let count = 0;
const id = (name: string) => `${name}-${String((count += 1)).padStart(6, "0")}`;
const text = (...runs: (string | Inline)[]): RichText => ({
  id: id("text"),
  runs: runs.map((run) => (typeof run === "string" ? { kind: "text", text: run } : run)),
});
const file = (name: string, type: string) => ({
  fileId: "0b7f4a9e-0000-4000-8000-000000000001",
  name,
  type,
  bytes: 1234,
});

const rules = { graded: true, points: 2, tries: 3, required: true };
const reasons = () => ({ right: text("Well seen."), wrong: text("Look again.") });
const none = { right: null, wrong: null };
const choices = () => [
  { id: id("choice"), text: text("Ring"), isRight: true, feedback: text("It carries 12 kN.") },
  { id: id("choice"), text: text("Handrail"), isRight: false, feedback: null },
];
const questions = (): Question[] => [
  { kind: "single", text: text("Where?"), ...rules, feedback: reasons(), choices: choices(), shuffle: true },
  { kind: "multiple", text: text("Which?"), ...rules, feedback: none, choices: choices(), shuffle: false },
  { kind: "trueFalse", text: text("Is it so?"), ...rules, feedback: none, isTrue: false },
  {
    kind: "match",
    text: text("What goes together?"),
    ...rules,
    feedback: none,
    pairs: ["a", "b"].map((name) => ({
      id: id("pair"),
      left: text(`left ${name}`),
      rightId: id("right"),
      right: text(`right ${name}`),
    })),
  },
  {
    kind: "order",
    text: text("In which order?"),
    ...rules,
    feedback: none,
    items: ["first", "second"].map((name) => ({ id: id("item"), text: text(name) })),
  },
  {
    kind: "fill",
    text: text("What is missing?"),
    ...rules,
    feedback: none,
    pieces: [
      { kind: "text", text: "The lock prevents " },
      { kind: "gap", id: id("gap"), answers: ["switching on", "a start"], caseSensitive: true },
      { kind: "text", text: "." },
    ],
  },
  { kind: "number", text: text("How much?"), ...rules, feedback: none, answer: 12.5, tolerance: 0.5, unit: "kN" },
  { kind: "shortText", text: text("Who?"), ...rules, feedback: none, answers: ["Mira", "Per"], caseSensitive: false },
];

function scenario(): LessonBlock {
  const [calm, hit] = [id("key"), id("key")];
  const choice = (label: string, to: string | null, points: number) => ({
    id: id("choice"),
    text: text(label),
    feedback: points > 0 ? text("You looked at the average.") : null,
    to,
    points,
  });
  const rest = { variable: "", at: null, choices: [] };
  return {
    kind: "scenario",
    id: id("block"),
    title: "The gust at the hatch",
    shuffle: true,
    mayGoBack: true,
    required: true,
    steps: [
      {
        id: id("step"),
        key: id("key"),
        title: "11 m/s at the hatch",
        text: [text("The needle is rising."), text("Sigrid is in her harness.")],
        ending: null,
        variable: "gust",
        at: { x: 40, y: -12 },
        choices: [choice("Wait", calm, 2), choice("Climb", hit, -1), choice("Ask Sigrid", null, 0)],
      },
      { id: id("step"), key: calm, title: "Work stopped in time", text: [text("Well done.")], ending: "best", ...rest },
      { id: id("step"), key: hit, title: "Hit by the hatch", text: [], ending: "poor", ...rest },
    ],
  };
}

export function everyBlock(): LessonDocument {
  const variable = { kind: "variable", key: "first_name", fallback: "colleague", marks: ["bold"] } as const;
  const titled = () => [
    { id: id("entry"), title: text("Before"), text: [text("Look."), text("Ask.")] },
    { id: id("entry"), title: text("After"), text: [] },
  ];
  const blocks: LessonBlock[] = [
    { kind: "heading", id: id("block"), level: 2, text: text("Your harness") },
    {
      kind: "paragraph",
      id: id("block"),
      text: text(
        "Check it ",
        { kind: "text", text: "before", marks: ["bold", "italic"] },
        { kind: "break" },
        variable as unknown as Inline,
        { kind: "text", text: "norms", link: "https://example.com/en361", marks: ["underline"] },
        { kind: "text", text: "bien sûr", language: "fr" },
        { kind: "text", text: "x", marks: ["strike", "code", "subscript", "superscript"] },
      ),
      showWhen: { match: "all", tests: [{ kind: "variable", key: "speak_up", is: "less", value: 5 }] },
    },
    {
      kind: "list",
      id: id("block"),
      style: "numbers",
      items: [0, 1, 1, 0].map((depth) => ({ id: id("item"), depth, text: text(`at ${depth}`) })),
    },
    { kind: "quote", id: id("block"), text: text("Two hooks, always."), source: "Hanne Dahl" },
    { kind: "code", id: id("block"), text: "let a = 1;\n  a++;", language: "js" },
    {
      kind: "table",
      id: id("block"),
      hasHead: true,
      hasHeadColumn: false,
      caption: "Loads",
      rows: [
        [text("Place"), text("kN")],
        [text("Ring"), text("12")],
      ],
    },
    { kind: "callout", id: id("block"), tone: "warning", title: "Careful", text: [text("One"), text("Two")] },
    { kind: "divider", id: id("block"), style: "continue" },
    {
      kind: "image",
      id: id("block"),
      file: file("harness.png", "image/png"),
      alt: "A harness",
      isDecorative: false,
      caption: text("Chest ring"),
      width: "wide",
    },
    {
      kind: "video",
      id: id("block"),
      file: file("climb.mp4", "video/mp4"),
      title: "The climb",
      captions: [{ file: file("en.vtt", "text/vtt"), language: "en", label: "English" }],
      transcript: [text("Hello.")],
      required: true,
      noSkipping: true,
    },
    {
      kind: "audio",
      id: id("block"),
      file: file("call.mp3", "audio/mpeg"),
      title: "The call",
      transcript: [text("Help is on its way.")],
      required: false,
    },
    { kind: "file", id: id("block"), file: file("plan.pdf", "application/pdf"), title: "Rescue plan" },
    { kind: "accordion", id: id("block"), items: titled() },
    { kind: "tabs", id: id("block"), items: titled() },
    { kind: "process", id: id("block"), items: titled() },
    { kind: "flashcards", id: id("block"), cards: [{ id: id("card"), front: text("EN 361"), back: text("Harness") }] },
    { kind: "checklist", id: id("block"), items: [{ id: id("item"), text: text("Straps") }], required: true },
    { kind: "button", id: id("block"), label: "Open the norm", target: { kind: "page", url: "https://example.com" } },
    { kind: "button", id: id("block"), label: "Next", target: { kind: "lesson", lessonId: "lesson-0001" } },
    ...questions().map((question): LessonBlock => ({ kind: "question", id: id("block"), question })),
    { kind: "reflection", id: id("block"), text: text("What will you do?"), variable: "plan", required: true },
    {
      kind: "rating",
      id: id("block"),
      text: text("How early?"),
      variable: "speak_up",
      steps: 10,
      lowLabel: "Late",
      highLabel: "The same day",
      required: false,
    },
    {
      kind: "slider",
      id: id("block"),
      text: text("How sure?"),
      variable: "sure",
      min: 0,
      max: 100,
      step: 5,
      unit: "%",
      required: false,
    },
    { kind: "chatbot", id: id("block"), chatbotId: null, text: text("Try it with Mira") },
    { kind: "prompt", id: id("block"), key: "feedback", text: text("Ask for feedback") },
    { kind: "confirmation", id: id("block"), text: [text("The rules.")], meaning: "I have read the rules." },
    scenario(),
  ];
  return { schema: 1, language: "en", blocks };
}
