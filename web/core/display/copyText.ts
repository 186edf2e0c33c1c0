import { i18n } from "#web/core/i18n.ts";
import { toast } from "#web/core/toast/toast.ts";

/** Characters of a text that fit into a toast. */
const MAX_SHOWN = 300;

/**
 * Copies text and shows a toast with the text, or with `shown` if it is long. Pages without https have no clipboard
 * API, only the deprecated command. If the browser refuses, the toast shows the text to be copied by hand.
 */
export async function copyText(text: string, done: string, shown = text) {
  const isCopied = await write(text).catch(() => false);
  if (isCopied) toast.done(done, { text: shown });
  else toast.failed(i18n.t("core.copyRefused"), { text: text.length > MAX_SHOWN ? undefined : text });
}

async function write(text: string) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return true;
  }
  const textarea = document.createElement("textarea");
  textarea.value = text;
  textarea.style.position = "fixed";
  document.body.append(textarea);
  textarea.select();
  const isCopied = document.execCommand("copy");
  textarea.remove();
  return isCopied;
}
