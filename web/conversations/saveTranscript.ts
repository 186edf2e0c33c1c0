import type { ShownTurn } from "#web/conversations/branch.ts";

/** Saves the shown branch of a conversation as a text file, with times and sources. */
export function saveTranscript(name: string, branch: readonly ShownTurn[], you: string, spokenMark: string) {
  const time = new Intl.DateTimeFormat(undefined, { dateStyle: "short", timeStyle: "short" });
  const entries = branch.map(({ turn: { role, text, createdAt, sources, spoken } }) => {
    const lines = sources.map(
      ({ n, title, heading, page, quote }) =>
        `[${n}] ${[title, heading, page === null ? "" : String(page)].filter(Boolean).join(", ")}: “${quote}”`,
    );
    return [
      `${role === "user" ? you : name}, ${time.format(new Date(createdAt))}${spoken ? ` (${spokenMark})` : ""}`,
      text,
      ...lines,
    ].join("\n");
  });
  const url = URL.createObjectURL(new Blob([`${entries.join("\n\n")}\n`], { type: "text/plain;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${name.replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-|-$/g, "")}.txt`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
