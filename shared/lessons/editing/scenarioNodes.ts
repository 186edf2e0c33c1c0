import type { LessonBlock } from "#shared/lessons/blocks.ts";
import { childrenOf, idOf, readText, richTextNode } from "#shared/lessons/editing/inlineNodes.ts";
import type { NodeJson } from "#shared/lessons/editing/nodeJson.ts";
import { feedbackNodes, numberOr, readFeedback } from "#shared/lessons/editing/questionNodes.ts";
import { blockId } from "#shared/lessons/richText.ts";

// Scenarios to nodes of the editor, and back. The choices of a step are `option` nodes: a `choice` is right or wrong.

type ScenarioBlock = Extract<LessonBlock, { kind: "scenario" }>;

export const scenarioToNode = ({ title, steps, shuffle, mayGoBack, required }: ScenarioBlock): NodeJson => ({
  type: "scenario",
  attrs: { title, shuffle, mayGoBack, required },
  content: steps.map(({ text, choices, ...attrs }) => ({
    type: "step",
    attrs,
    content: [
      ...text.map((one) => richTextNode(one)),
      ...choices.map(({ text: words, feedback, ...rest }) => ({
        type: "option",
        attrs: rest,
        content: [richTextNode(words), ...feedbackNodes(feedback, "choice")],
      })),
    ],
  })),
});

const short = (value: unknown, max: number) => (typeof value === "string" ? value.slice(0, max) : "");

function readOption(option: NodeJson, stepId: string, n: number) {
  const { attrs = {} } = option;
  const id = idOf(attrs["id"], stepId, n);
  return {
    id,
    text: readText(childrenOf(option, "richText")[0], id, "t"),
    feedback: readFeedback(option, "choice", id),
    to: blockId.safeParse(attrs["to"]).data ?? null,
    points: Math.round(numberOr(attrs["points"], 0)),
  };
}

function readPlace(value: unknown) {
  const { x, y } = (value ?? {}) as { x?: unknown; y?: unknown };
  return typeof x === "number" && typeof y === "number" ? { x: Math.round(x), y: Math.round(y) } : null;
}

/** Choices that nobody has written are left out. */
export function readScenario(node: NodeJson, id: string, attrs: Record<string, unknown>) {
  const keys = new Set<string>();
  return {
    title: short(attrs["title"], 200),
    shuffle: attrs["shuffle"] === true,
    mayGoBack: attrs["mayGoBack"] === true,
    required: attrs["required"] === true,
    steps: childrenOf(node, "step").map((step, n) => {
      const { attrs: own = {} } = step;
      const stepId = idOf(own["id"], id, n);
      // Two authors may have pasted the same step.
      const wanted = idOf(own["key"], id, `k${n}`);
      const key = keys.has(wanted) ? `${wanted.slice(0, 58)}-${n}` : wanted;
      keys.add(key);
      const ending = ["best", "fair", "poor"].includes(String(own["ending"])) ? own["ending"] : null;
      const choices = childrenOf(step, "option").map((option, at) => readOption(option, stepId, at));
      const isWritten = ({ text, feedback, to }: (typeof choices)[number]) =>
        text.runs.length > 0 || feedback !== null || to !== null;
      return {
        id: stepId,
        key,
        title: short(own["title"], 200),
        text: childrenOf(step, "richText").map((one, at) => readText(one, stepId, `t${at}`)),
        ending,
        variable: short(own["variable"], 100),
        at: readPlace(own["at"]),
        choices: ending === null ? choices.filter(isWritten) : [],
      };
    }),
  };
}
