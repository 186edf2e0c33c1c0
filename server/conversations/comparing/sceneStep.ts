import { moveScene } from "#server/conversations/scene.ts";
import type { TurnRow } from "#server/conversations/turnRows.ts";
import type { SceneStep } from "#shared/chatbots/botSettings.ts";

/**
 * The step of a scene at the time of a question, found by replaying the messages in order. Messages that were not
 * answered by the scene, such as those over a limit, did not move it. Null if the conversation was not a scene.
 */
export function stepAt(scene: SceneStep[], turns: TurnRow[], question: TurnRow): string | null {
  let step = scene[0]?.id ?? null;
  for (const message of turns) {
    if (message.role !== "user" || message.number >= question.number) continue;
    const isPlayed = turns.some(({ parentId, state }) => parentId === message.id && state === "done");
    if (isPlayed) step = moveScene(scene, step, message.text).step?.id ?? step;
  }
  return step;
}
