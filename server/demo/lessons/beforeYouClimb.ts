import {
  block,
  bullets,
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

type Picture = { fileId: string; name: string; type: string; bytes: number };

export const whyPeopleFall = (picture: Picture): Lesson =>
  lesson("Why people fall", 4, [
    paragraph(
      "Most falls at work are not from great heights. They are from a ladder, the back of a " +
        "truck or a flat roof, by people who have done the same job a hundred times.",
    ),
    block("image", {
      file: picture,
      alt: "A worker on a pitched roof, connected by a rope to an anchor point above them. A handrail guards the edge.",
      isDecorative: false,
      caption: text("Edge guarded, anchor above the worker: two chances to prevent the same fall."),
      width: "text",
    }),
    block("reflection", {
      text: text("Where do you work at heights? A few words are enough. This course uses them in its examples."),
      variable: "heights_place",
      required: false,
    }),
    heading("Three decisions that come before the climb"),
    paragraph(
      "Your place: {{heights_place|not named yet}}. Which of these did you decide there, and which just happened?",
    ),
    block("process", {
      items: titled({
        "Avoid it":
          "Can the job be done from the ground, with a longer tool or after lowering the part? A " +
          "job that nobody has to climb for is the only one without a risk of falling.",
        "Prevent the fall":
          "Guard rails, platforms and covers protect everybody without anybody having to think of them.",
        "Limit the fall": "A harness does not prevent a fall. It decides how far you fall, so it comes last.",
      }),
    }),
    question({
      kind: "order",
      text: text("Put the measures in the order in which you consider them."),
      ...practice,
      feedback: feedback(
        "What protects everybody comes before what protects one person.",
        "Ask first whether anybody has to go up at all, then what protects everybody.",
      ),
      items: ["Do the job from the ground", "Put up a guard rail", "Wear a harness"].map((item) => ({
        id: newId("item"),
        text: text(item),
      })),
    }),
  ]);

export const chooseProtection = (): Lesson =>
  lesson("Choose the right protection", 6, [
    paragraph("Protection has to fit the place, not the habit. Compare three common ones."),
    block("table", {
      hasHead: true,
      hasHeadColumn: true,
      caption: "Protection by place",
      rows: [
        ["Place", "First choice", "If that is not possible"],
        ["Flat roof", "Guard rail around the edge", "Restraint rope that does not reach the edge"],
        ["Pitched roof", "Scaffold with a toe board", "Harness with an anchor above you"],
        ["Truck bed", "Fixed platform at the dock", "Handrail that folds out"],
      ].map((row) => row.map(text)),
    }),
    block("tabs", {
      items: titled({
        Restraint:
          "The rope is too short to reach the edge, so that you cannot fall. Check its length at " +
          "every corner, not only where you start.",
        "Work positioning":
          "The rope holds you while both hands work, for example on a pole. You need a second system that catches you.",
        "Fall arrest":
          "The rope, an energy absorber and the harness catch you. You need free space below: the " +
          "absorber tears open on purpose.",
      }),
    }),
    block("flashcards", {
      cards: [
        [
          "Anchor point",
          "What the rope is fastened to. It has to carry what a falling person pulls, so a gutter " +
            "or a handrail is none.",
        ],
        [
          "Energy absorber",
          "A folded strap that tears open and brakes the fall, so that the body is not stopped at once.",
        ],
        ["Clearance", "The free space that you need below you: rope, torn absorber, your height and a metre to spare."],
      ].map(([front = "", back = ""]) => ({ id: newId("card"), front: text(front), back: text(back) })),
    }),
    question({
      kind: "match",
      text: text("What does each system do?"),
      ...practice,
      feedback: feedback("", "Restraint keeps you away from the edge, positioning holds you, arrest catches you."),
      pairs: [
        ["Restraint", "You cannot reach the edge"],
        ["Work positioning", "You hang while you work"],
        ["Fall arrest", "You are caught after a fall"],
      ].map(([left = "", right = ""]) => ({
        id: newId("pair"),
        left: text(left),
        rightId: newId("right"),
        right: text(right),
      })),
    }),
    question({
      kind: "multiple",
      text: text("Which of these may you use as an anchor point?"),
      ...practice,
      feedback: feedback("When in doubt, ask before you hook in.", "Only what was made or checked for it."),
      choices: choices(
        "+ A marked anchor ring / It was made and checked for this.",
        "A gutter / It tears off under far less than your weight in a fall.",
        "+ A steel beam that the supervisor has released / Somebody competent has checked that it carries the load.",
        "The handrail of a scaffold / It keeps you from stepping over. It does not hold a fall.",
      ),
      shuffle: true,
    }),
    block("callout", {
      tone: "tip",
      title: "Take this with you",
      text: [text("If you cannot say what you would hit when you fall, you do not know your clearance yet.")],
    }),
    bullets(
      "Look up: what am I fastened to?",
      "Look down: how far would I fall?",
      "Look around: who knows that I am here?",
    ),
  ]);
