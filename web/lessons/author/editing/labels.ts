import type { Editor } from "@tiptap/core";
import type { Author } from "#web/lessons/author/authorContext.ts";

/** Names of variables, questions and choices, by key and id, for conditions in words. */
export function labelsOf(editor: Editor | null, variables: Author["variables"]) {
  const questions = new Map<string, string>();
  editor?.state.doc.forEach((block) => {
    if (block.type.name !== "question") return;
    questions.set(String(block.attrs["id"]), block.firstChild?.textContent ?? "");
    block.forEach((child) => {
      if (child.type.name === "choice") questions.set(String(child.attrs["id"]), child.firstChild?.textContent ?? "");
    });
  });
  return { variables: new Map(variables.map(({ key, label }) => [key, label])), questions };
}
