import type { Editor, JSONContent } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { TextSelection } from "@tiptap/pm/state";

/** Adds a child after the last one of its type, or after the text of the block, and puts the cursor into it. */
export function addChild(editor: Editor, pos: number, node: Node, child: JSONContent) {
  let at = pos + 1;
  node.forEach((one, offset) => {
    const isBefore = one.type.name === child.type || (one.type.name === "richText" && offset === 0);
    if (isBefore || child.type === "feedback") at = pos + 1 + offset + one.nodeSize;
  });
  editor
    .chain()
    .insertContentAt(at, child, { updateSelection: false })
    .command(({ tr }) => {
      tr.setSelection(TextSelection.near(tr.doc.resolve(at + 1)));
      return true;
    })
    .focus()
    .run();
}

export const countChildren = (node: Node, type: string) => {
  let count = 0;
  node.forEach((one) => void (count += one.type.name === type ? 1 : 0));
  return count;
};

/** The position of a node view; null if its node is gone. */
export const placeOf = (getPos: () => number | undefined) => {
  try {
    return getPos() ?? null;
  } catch {
    return null;
  }
};
