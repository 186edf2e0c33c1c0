import {
  block,
  choices,
  feedback,
  heading,
  lesson,
  newId,
  paragraph,
  practice,
  question,
  text,
  titled,
} from "#server/demo/lessons/writing.ts";
import type { Lesson } from "#shared/lessons/lessonDocument.ts";

export function onTheLadder(): Lesson {
  const angle = question({
    kind: "number",
    text: text("A ladder reaches 4 m up a wall. How far from the wall does its foot stand?"),
    ...practice,
    feedback: feedback(
      "One out for every four up.",
      "One out for every four up. At 4 m that is one step away from the wall.",
    ),
    answer: 1,
    tolerance: 0.1,
    unit: "m",
  });
  return lesson("On the ladder", 5, [
    paragraph(
      "A ladder is a way up. It is a place to work only for short jobs, light tools and one " +
        "hand, with the other one on the ladder.",
    ),
    heading("Set it up"),
    block("accordion", {
      items: titled({
        "The ground":
          "Level and firm. A board under one foot is no repair: move the ladder or take one with adjustable feet.",
        "The angle":
          "About 75 degrees: one out for every four up. Stand upright at its foot with arms " +
          "stretched out; your palms should touch the rung.",
        "The top":
          "It stands out a metre above the landing, so that you can hold on while you step off, and is tied or held.",
        "The way": "Lock or guard doors nearby: a person who opens one cannot see that you are behind it.",
      }),
    }),
    angle,
    {
      ...block("callout", {
        tone: "note",
        title: "How to remember it",
        text: [text("Four up, one out. Show four fingers and the thumb: the thumb is the distance from the wall.")],
      }),
      showWhen: { match: "all", tests: [{ kind: "answer", block: angle.id, is: "wrong" }] },
    },
    heading("Climb it"),
    question({
      kind: "fill",
      text: text("Complete the rule."),
      ...practice,
      feedback: feedback("", "Two feet and a hand, or two hands and a foot."),
      pieces: [
        { kind: "text", text: "Always keep " },
        { kind: "gap", id: newId("gap"), answers: ["three", "3"], caseSensitive: false },
        { kind: "text", text: " points of contact with the ladder." },
      ],
    }),
    question({
      kind: "trueFalse",
      text: text("You may stand on the top rung if somebody holds the ladder."),
      ...practice,
      feedback: feedback(
        "You may not. There would be nothing left to hold on to.",
        "Nobody may. On the top rung there is nothing left to hold on to, and nobody below can help.",
      ),
      isTrue: false,
    }),
    block("slider", {
      text: text("How sure are you that your ladders would pass a check today?"),
      variable: "heights_sure",
      min: 0,
      max: 10,
      step: 1,
      unit: "",
      required: true,
    }),
    {
      ...block("callout", {
        tone: "warning",
        title: "Take one off the hook",
        text: [text("You are not sure. Ask for the inspection record before you use one again: no sticker, no climb.")],
      }),
      showWhen: { match: "all", tests: [{ kind: "variable", key: "heights_sure", is: "less", value: 7 }] },
    },
  ]);
}

export const checkTheHarness = (): Lesson =>
  lesson("Check the harness", 4, [
    paragraph(
      "A harness hangs in a van for months, in sun, oil and salt. You have one minute to find out what that did to it.",
    ),
    block("checklist", {
      items: [
        "Straps: no cuts, no hard or faded places, no loose stitches",
        "Buckles: close with a click, open only on purpose",
        "Hooks: gate closes by itself, no cracks, no rust",
        "Absorber: cover unbroken, not torn open",
        "Label: readable, and the last inspection less than a year ago",
      ].map((one) => ({ id: newId("check"), text: text(one) })),
      required: true,
    }),
    question({
      kind: "single",
      text: text("The absorber has caught a fall. Nobody was hurt and it looks almost new. What do you do with it?"),
      ...practice,
      feedback: feedback("", "An absorber works once."),
      choices: choices(
        "Fold it again and use it / It brakes by tearing. What is torn cannot brake again.",
        "+ Take the whole set out of use and report it / Everything that took the load has to be " +
          "checked or thrown away.",
        "Keep it for lighter colleagues / The force of a fall is far beyond anybody's weight.",
      ),
      shuffle: true,
    }),
    block("quote", {
      text: text("I sent back two harnesses this year. Nobody has ever complained about the hour it cost."),
      source: "Liv Aune, shift leader",
    }),
  ]);
