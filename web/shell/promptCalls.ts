import type { ButtonAnswer } from "#shared/prompts/buttonPrompts.ts";
import type { FromShell, ToShell } from "#shared/player/shell.ts";

/** Passes button prompts of the content to the application page, which may call the server, and its answers back. */
export function createPromptCalls(post: (message: FromShell) => void) {
  const waiting = new Map<number, { resolve: (answer: ButtonAnswer) => void; reject: (error: Error) => void }>();
  let last = 0;
  return {
    run: (key: string, input: string) =>
      new Promise<ButtonAnswer>((resolve, reject) => {
        const call = ++last;
        waiting.set(call, { resolve, reject });
        post({ type: "prompt", call, key: key.toWellFormed(), input: input.toWellFormed() });
      }),
    onAnswer({ call, answer, code, message }: Extract<ToShell, { type: "answered" }>) {
      const asked = waiting.get(call);
      waiting.delete(call);
      if (answer) asked?.resolve(answer);
      else asked?.reject(Object.assign(new Error(message), { code }));
    },
  };
}
