import { moveScene } from "#server/conversations/scene.ts";
import type { TurnRow } from "#server/conversations/turnRows.ts";
import type { SceneStep } from "#shared/chatbots/botSettings.ts";

/**
 * The step at which a scene stood when a question was asked: its messages are played again in the order in which they
 * were sent. Messages that got another answer than the scene's, such as one about a limit, did not move it. Null for a
 * conversation that was no scene.
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
