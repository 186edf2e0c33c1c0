import { toast } from "#web/core/toast/toast.ts";

/** Copies text and says so. Pages that are not served over https have no clipboard, only the old command. */
export async function copyText(text: string, done: string) {
  if (navigator.clipboard) await navigator.clipboard.writeText(text);
  else {
    const box = document.createElement("textarea");
    box.value = text;
    box.style.position = "fixed";
    document.body.append(box);
    box.select();
    document.execCommand("copy");
    box.remove();
  }
  toast.done(done, { text });
}
