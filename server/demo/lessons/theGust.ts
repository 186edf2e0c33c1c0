import { block, heading, lesson, newId, paragraph, text } from "#server/demo/lessons/writing.ts";
import type { Lesson } from "#shared/lessons/lessonDocument.ts";
import type { EndingTone, ScenarioStep } from "#shared/lessons/scenarios.ts";

type Way = { says: string; to: string; points?: number; feedback?: string };
type Step = { title: string; text: string; ending?: EndingTone; variable?: string; ways?: Way[] };

/** Steps by their keys; the first one is the start. */
const stepsOf = (steps: Record<string, Step>): ScenarioStep[] =>
  Object.entries(steps).map(([key, { title, text: body, ending = null, variable = "", ways = [] }]) => ({
    id: newId("step"),
    key: `gust-${key}`,
    title,
    text: [text(body)],
    ending,
    variable,
    at: null,
    choices: ways.map(({ says, to, points = 0, feedback }) => ({
      id: newId("choice"),
      text: text(says),
      feedback: feedback ? text(feedback) : null,
      to: `gust-${to}`,
      points,
    })),
  }));

const gust = () =>
  block("scenario", {
    title: "The gust at the hatch",
    shuffle: true,
    mayGoBack: false,
    required: true,
    steps: stepsOf({
      hatch: {
        title: "11 m/s at the hatch",
        text:
          "You and Sigrid are to replace a bolt on the roof of the nacelle. The meter beside the hatch shows 11 m/s, " +
          "and the needle is rising. The limit for open hatches is 12.",
        variable: "heights_gust",
        ways: [
          { says: "Call the control room and ask for the forecast", to: "call", points: 2 },
          {
            says: "Wait inside and watch the ten-minute average",
            to: "wait",
            points: 2,
            feedback: "The average says more than the needle: gusts are over before you have read them.",
          },
          { says: "Open the hatch now, and be quick", to: "climb", points: -1 },
        ],
      },
      call: {
        title: "“Front in forty minutes”",
        text: "The control room sees a front coming: gusts above 15 m/s in forty minutes. The bolt takes half an hour.",
        ways: [
          { says: "Stop the work and come back tomorrow", to: "stopped", points: 2 },
          {
            says: "Half an hour fits into forty minutes",
            to: "climb",
            points: -1,
            feedback: "It fits if nothing goes wrong, and if the forecast is right to the minute.",
          },
        ],
      },
      wait: {
        title: "Sigrid is in her harness",
        text: "“It’s one bolt,” she says. “Ten minutes. We drove two hours for this.” The average shows 10.6.",
        ways: [
          {
            says: "“Below ten, or we go home.”",
            to: "stopped",
            points: 2,
            feedback: "Clear, and said before the hatch is open.",
          },
          { says: "“All right. But you go first.”", to: "talked", points: -1 },
          { says: "Call the control room before you answer", to: "call", points: 1 },
        ],
      },
      climb: {
        title: "The hatch is open",
        text: "You are half out when the wind takes the hatch out of your hand. Sigrid is still below you.",
        ways: [
          { says: "Go back down and close it together", to: "late", points: 1 },
          { says: "Hold it with one hand and go on", to: "hit", points: -2 },
        ],
      },
      stopped: {
        title: "Work stopped in time",
        text: "At three o’clock the meter shows 17 m/s. The bolt is replaced the next morning, in forty minutes.",
        ending: "best",
      },
      late: {
        title: "Stopped late",
        text: "Nobody is hurt. The hinge is bent, and the turbine stands still for two days: more than a second drive.",
        ending: "fair",
      },
      talked: {
        title: "Talked into it",
        text: "It goes well this time. What Sigrid has learned today is that the limit is a matter of talking.",
        ending: "poor",
      },
      hit: {
        title: "Hit by the hatch",
        text: "The hatch strikes your shoulder, and you hang in your harness. The rescue takes fifty minutes.",
        ending: "poor",
      },
    }),
  });

export const whenTheWindRises = (): Lesson =>
  lesson("When the wind rises", 5, [
    paragraph(
      "The decision to stop is hardest when everything is ready and somebody is waiting. Try it here, where a wrong " +
        "choice costs nothing.",
    ),
    gust(),
    heading("What counts"),
    paragraph("Say your limit before you open anything. It is a number, not a feeling, and it holds for everybody."),
  ]);
