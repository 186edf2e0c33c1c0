import { call } from "#web/core/api/api.ts";
import { ApiError } from "#web/core/http/http.ts";
import { messageOf } from "#web/core/http/messages.ts";
import { buttonPrompts } from "#shared/prompts/buttonPrompts.ts";
import type { Launch } from "#shared/player/player.ts";
import type { FromShell, ToShell } from "#shared/player/shell.ts";

/** Runs a button prompt for the content of a course. The course is always that of the session. */
export async function answerPrompt(
  { course }: Pick<Launch, "course">,
  { call: number, key, input }: Extract<FromShell, { type: "prompt" }>,
): Promise<Extract<ToShell, { type: "answered" }>> {
  try {
    const answer = await call(buttonPrompts.run, { params: { id: key }, body: { courseId: course.id, input } });
    return { type: "answered", call: number, answer, code: "", message: "" };
  } catch (error) {
    const code = error instanceof ApiError ? error.code : "core.internal";
    return { type: "answered", call: number, answer: null, code, message: messageOf(error) };
  }
}
