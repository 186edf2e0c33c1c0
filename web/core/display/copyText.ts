import { toast } from "#web/core/toast/toast.ts";

/**
 * Copies text and shows a toast with the text, or with `shown` if it is long. Pages without https have no clipboard
 * API, only the deprecated command.
 */
export async function copyText(text: string, done: string, shown = text) {
  if (navigator.clipboard) await navigator.clipboard.writeText(text);
  else {
    const textarea = document.createElement("textarea");
    textarea.value = text;
    textarea.style.position = "fixed";
    document.body.append(textarea);
    textarea.select();
    document.execCommand("copy");
    textarea.remove();
  }
  toast.done(done, { text: shown });
}
