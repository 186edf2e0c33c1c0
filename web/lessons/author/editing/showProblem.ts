import type { Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { TextSelection } from "@tiptap/pm/state";
import { findBlock, selectBlock } from "#web/lessons/author/editing/blockCommands.ts";
import type { DraftProblem } from "#shared/lessons/drafts.ts";

/** Fields of the settings that solve a problem, by the attribute that they change. */
const fields: Partial<Record<DraftProblem["code"], string>> = {
  alternativeText: "alt",
  captions: "captions",
  tableHead: "hasHead",
};

/** True if a problem is solved in the settings, not in the text. */
export const needsSettings = ({ code, blockId }: Pick<DraftProblem, "code" | "blockId">) =>
  blockId === null || code in fields || code === "unfinished";

/** Selects the block of a problem, and puts the cursor where it is solved: into a text, or a field of the settings. */
export function showProblem(editor: Editor, id: string, { code, about }: Pick<DraftProblem, "code" | "about">) {
  if (!selectBlock(editor, id)) return false;
  const block = findBlock(editor.state, id);
  if (!block) return true;
  const at = textOf(block.node, code, about);
  if (at !== null) {
    editor.commands.command(({ tr }) => {
      tr.setSelection(TextSelection.near(tr.doc.resolve(block.pos + 1 + at)));
      return true;
    });
    editor.view.focus();
    return true;
  }
  const field = fields[code] ?? (code === "unfinished" ? about : undefined);
  // The settings of the block are rendered after this.
  if (field)
    requestAnimationFrame(() =>
      document
        .querySelector<HTMLElement>(`[data-setting="${CSS.escape(field)}"] :is(input, textarea, button)`)
        ?.focus(),
    );
  return true;
}

/** Where in the block the text is that a problem is about; null if it is about none. */
function textOf(block: Node, code: DraftProblem["code"], about: string): number | null {
  const isWanted = (node: Node) => {
    if (code === "empty") return node.isTextblock && node.content.size === 0 && node.type.name !== "feedback";
    if (code === "linkText") return node.isTextblock && node.textContent.includes(about);
    return (code === "noRightAnswer" || code === "severalRightAnswers") && node.type.name === "choice";
  };
  if (isWanted(block)) return 0;
  let found: number | null = null;
  block.descendants((node, pos) => {
    if (found === null && isWanted(node)) found = pos + 1;
    return found === null;
  });
  return found;
}
