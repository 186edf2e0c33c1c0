import type { SceneStep } from "#shared/chatbots/botSettings.ts";
import texts from "#shared/locales/en/chat.json" with { type: "json" };

/** The result of a message in a scene. `step` is null if the message matches no choice. */
export type SceneMove = { step: SceneStep | null; choice: SceneStep["choices"][number] | null };

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .normalize("NFKC")
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean);

/** Finds the choice for a message: by its label, or the one with most words in the message. */
export function moveScene(scene: SceneStep[], stepId: string | null, message: string): SceneMove {
  const step = scene.find(({ id }) => id === stepId) ?? scene[0];
  const messageWords = wordsOf(message);
  const text = messageWords.join(" ");
  const exact = step?.choices.find(({ label }) => wordsOf(label).join(" ") === text);
  const counted = (step?.choices ?? [])
    .map((choice) => ({
      choice,
      hits: choice.words.filter((word) => messageWords.includes(word.toLowerCase())).length,
    }))
    .filter(({ hits }) => hits > 0)
    .toSorted((a, b) => b.hits - a.hits);
  const [best, second] = counted;
  const choice = exact ?? (best && best.hits !== second?.hits ? best.choice : undefined) ?? null;
  return { choice, step: choice ? (scene.find(({ id }) => id === choice.to) ?? null) : null };
}

/**
 * The reply of a scene to a message, and the next choices; for a message that matches no choice, those of the same
 * step.
 */
export function replyOfScene(scene: SceneStep[], stepId: string | null, message: string) {
  const { step, choice } = moveScene(scene, stepId, message);
  const options = (step ?? scene.find(({ id }) => id === stepId) ?? scene[0])?.choices ?? [];
  return { step, choice, text: step?.says ?? texts.sceneUnclear, options: options.map(({ label }) => label) };
}
