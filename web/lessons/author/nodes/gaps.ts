import type { Editor } from "@tiptap/core";
import { newId } from "#shared/lessons/editing/nodeJson.ts";

/** Makes a gap of the selected words, or an empty one: at the cursor, or at the end of the text. */
export function addGap(editor: Editor, question: number | null) {
  const { selection, doc } = editor.state;
  const isInText = selection.$from.parent.type.name === "gapText" && selection.$from.sameParent(selection.$to);
  if (isInText) {
    const word = doc.textBetween(selection.from, selection.to).trim().slice(0, 200);
    return insert(editor, selection.from, selection.to, word);
  }
  const node = question === null ? null : doc.nodeAt(question);
  node?.forEach((child, offset) => {
    if (child.type.name !== "gapText" || question === null) return;
    const end = question + 1 + offset + child.nodeSize - 1;
    insert(editor, end, end, "");
  });
}

function insert(editor: Editor, from: number, to: number, word: string) {
  const gap = { type: "gap", attrs: { id: newId(), answers: word ? [word] : [], caseSensitive: false } };
  editor.chain().insertContentAt({ from, to }, gap).setNodeSelection(from).run();
}
