import type { Editor } from "@tiptap/core";
import { choicesOf } from "#web/lessons/author/scenario/steps.ts";
import type { Author } from "#web/lessons/author/authorContext.ts";

/** Names of variables, questions and choices, by key and id, for conditions in words. */
export function labelsOf(editor: Editor | null, variables: Author["variables"]) {
  const questions = new Map<string, string>();
  editor?.state.doc.forEach((block) => {
    if (block.type.name === "scenario") {
      questions.set(String(block.attrs["id"]), String(block.attrs["title"]));
      for (const { id, text } of choicesOf(block)) questions.set(id, text);
    }
    if (block.type.name !== "question") return;
    questions.set(String(block.attrs["id"]), block.firstChild?.textContent ?? "");
    block.forEach((child) => {
      if (child.type.name === "choice") questions.set(String(child.attrs["id"]), child.firstChild?.textContent ?? "");
    });
  });
  return { variables: new Map(variables.map(({ key, label }) => [key, label])), questions };
}
