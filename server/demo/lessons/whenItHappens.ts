import {
  block,
  bullets,
  choices,
  feedback,
  graded,
  heading,
  lesson,
  newId,
  paragraph,
  practice,
  question,
  text,
} from "#server/demo/lessons/writing.ts";
import type { Lesson } from "#shared/lessons/lessonDocument.ts";
import { newQuizSettings } from "#shared/lessons/quiz.ts";
import type { Question } from "#shared/lessons/questions.ts";

export const rescueInTime = (chatbotId: string): Lesson =>
  lesson("Rescue in time", 5, [
    paragraph(
      "Who hangs motionless in a harness gets into danger within minutes, because the blood " +
        "stays in the legs. Calling the fire brigade is right, and too slow as a plan.",
    ),
    heading("Before anybody hooks in"),
    bullets(
      "Somebody else is in sight, and knows the plan.",
      "The rescue kit is on site, and two people have practised with it.",
      "Everybody knows the number to call and the address to give.",
    ),
    question({
      kind: "shortText",
      text: text("Which number do you call first in Norway if somebody hangs injured in the harness?"),
      ...practice,
      feedback: feedback("113 is the medical emergency number.", "113 for medical help. 110 is fire, 112 is police."),
      answers: ["113"],
      caseSensitive: false,
    }),
    block("callout", {
      tone: "danger",
      title: "While you wait",
      text: [
        text("Talk to the person. Let them press their feet against something and move their legs."),
        text(
          "Get them down slowly, and lay them flat as soon as they are on the ground. Every fall " +
            "into a harness is seen by a doctor.",
        ),
      ],
    }),
    block("chatbot", {
      chatbotId,
      text: text("What does our handbook say? Ask it about reporting, protective equipment or stopping work."),
    }),
    block("rating", {
      text: text("How well could your crew carry out a rescue today?"),
      variable: "heights_rescue",
      steps: 5,
      lowLabel: "Not at all",
      highLabel: "Practised this year",
      required: true,
    }),
  ]);

const POOL = { key: "pool-ladders", title: "Ladders and clearance", draw: 2 };

/** `toRead`: the lessons to read, by what was missed. */
export function finalQuiz(toRead: Record<"choose" | "ladder" | "harness" | "rescue", Lesson>): Lesson {
  const after = (lessonId: keyof typeof toRead, one: Question, pool?: string) => ({
    ...question(one),
    lessonId: toRead[lessonId].id,
    ...(pool && { pool }),
  });
  const made = lesson("Ready to go up?", 6, [
    paragraph("You may look things up. Take your time: what counts is that you would do the same on the roof."),
    after("choose", {
      kind: "single",
      text: text("A lamp on a flat roof has to be changed. What do you consider first?"),
      ...graded,
      feedback: feedback("", "Think of the order: avoid, prevent, limit."),
      choices: choices(
        "Which harness fits / That comes last.",
        "+ Whether the lamp can be lowered or reached from inside / Nobody falls from the ground.",
        "Who holds the rope / A rope is not the first measure.",
      ),
      shuffle: true,
    }),
    after(
      "harness",
      {
        kind: "multiple",
        text: text("What belongs to the clearance below you?"),
        ...graded,
        feedback: feedback("", "Rope, torn absorber, your own height, and a metre to spare."),
        choices: choices(
          "+ The length of the rope",
          "+ The absorber when it is torn open",
          "+ Your own height",
          "The weight of your tools / It changes the force, not the distance.",
        ),
        shuffle: true,
      },
      POOL.key,
    ),
    after(
      "ladder",
      {
        kind: "number",
        text: text("A ladder reaches 6 m up a wall. How far from the wall does its foot stand?"),
        ...graded,
        feedback: feedback("", "One out for every four up."),
        answer: 1.5,
        tolerance: 0.1,
        unit: "m",
      },
      POOL.key,
    ),
    after(
      "ladder",
      {
        kind: "number",
        text: text("A ladder leads to a roof. How far does it stand out above the edge?"),
        ...graded,
        feedback: feedback("", "A metre gives your hands something to hold while you step off."),
        answer: 1,
        tolerance: 0.1,
        unit: "m",
      },
      POOL.key,
    ),
    after(
      "harness",
      {
        kind: "trueFalse",
        text: text("An energy absorber that has caught a fall may be used again if it looks intact."),
        ...graded,
        feedback: feedback("It works once, however it looks.", "It works once, however it looks."),
        isTrue: false,
      },
      POOL.key,
    ),
    after("rescue", {
      kind: "order",
      text: text("Somebody hangs in the harness and does not answer. In which order do you act?"),
      ...graded,
      feedback: feedback("", "Call for help first: it takes the longest."),
      items: [
        "Call 113 and say where you are",
        "Get the rescue kit and bring the person down",
        "Lay the person flat and stay with them",
      ].map((item) => ({ id: newId("item"), text: text(item) })),
    }),
    after("choose", {
      kind: "single",
      text: text("The wind picks up while you are on the roof. The job would take ten more minutes. What now?"),
      ...graded,
      feedback: feedback("Anybody may stop the work.", "Ten minutes are what most accidents take."),
      choices: choices(
        "Finish quickly / Hurrying at an edge is how people fall.",
        "+ Secure the tools, go down and report it / The job can wait. Nobody is blamed for stopping.",
        "Ask the colleague on the ground to watch you / Watching does not stop a gust.",
      ),
      shuffle: true,
    }),
  ]);
  made.document.quiz = { ...newQuizSettings(), passPercent: 70, attempts: 3, pools: [POOL] };
  return made;
}

export const promise = (): Lesson =>
  lesson("Your word", 1, [
    paragraph("Before the last questions, one promise. It is the shortest lesson, and the one that counts most."),
    block("confirmation", {
      text: [
        text(
          "I work at heights only with protection that fits the place and was checked, and only if " +
            "a rescue is prepared.",
        ),
        text("If that is not so, I stop and report it."),
      ],
      meaning: "I have read this and will work by it.",
    }),
  ]);
