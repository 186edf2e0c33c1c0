import type { LessonBlock } from "#shared/lessons/blocks.ts";
import type { EndingTone } from "#shared/lessons/scenarios.ts";
import { newId, words } from "#test/lessons.ts";

type Options = Partial<Omit<Extract<LessonBlock, { kind: "scenario" }>, "kind" | "id" | "steps">>;
type Way = { says: string; to: string | null; points?: number; feedback?: string };

const step = (key: string, title: string, ending: EndingTone | null, ways: Way[] = [], variable = "") => ({
  id: newId("step"),
  key,
  title,
  text: [words(`${title}, as the learner reads it.`)],
  ending,
  variable,
  at: null,
  choices: ways.map(({ says, to, points = 0, feedback }) => ({
    id: newId("choice"),
    text: words(says),
    feedback: feedback ? words(feedback) : null,
    to,
    points,
  })),
});

/**
 * From the hatch, waiting leads to the cabin and climbing to a bad ending; asking leads nowhere. From the cabin,
 * calling leads to the best ending, and looking again back to the hatch.
 */
export function gustScenario(options: Options = {}) {
  const [hatch, cabin, stopped, hit] = [newId("key"), newId("key"), newId("key"), newId("key")];
  const steps = [
    step(
      hatch,
      "11 m/s at the hatch",
      null,
      [
        { says: "Wait in the cabin", to: cabin, points: 2, feedback: "You looked at the average." },
        { says: "Climb quickly", to: hit, points: -1 },
        { says: "Ask Sigrid", to: null },
      ],
      "gust_choice",
    ),
    step(cabin, "You wait in the cabin", null, [
      { says: "Call the control room", to: stopped, points: 1 },
      { says: "Look again", to: hatch },
    ]),
    step(stopped, "Work stopped in time", "best"),
    step(hit, "Hit by the hatch", "poor"),
  ] as const;
  const block: LessonBlock = {
    kind: "scenario",
    id: newId("scenario"),
    title: "The gust at the hatch",
    shuffle: false,
    mayGoBack: false,
    required: true,
    ...options,
    steps: [...steps],
  };
  /** The event of a choice, by the beginning of what it says. */
  const choose = (at: number, says: string) => {
    const from = block.steps[at];
    const choice = from?.choices.find(({ text }) => JSON.stringify(text.runs).includes(says));
    if (!from || !choice) throw new Error(`no choice ${says}`);
    return {
      type: "block.choose" as const,
      key: block.id,
      value: { step: from.id, choice: choice.id, ms: 3000 },
    };
  };
  return { block, id: block.id, steps: block.steps, choose };
}
