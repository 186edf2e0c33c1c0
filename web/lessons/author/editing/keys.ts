import { type Editor, Extension } from "@tiptap/core";
import type { Node, ResolvedPos } from "@tiptap/pm/model";
import { NodeSelection, TextSelection } from "@tiptap/pm/state";
import { duplicateBlock, moveBlock, removeBlock, selectedBlock } from "#web/lessons/author/editing/blockCommands.ts";
import { newCard, newChoice, newOption, newPair, newTitledItem } from "#web/lessons/author/nodes/templates.ts";
import type { NodeJson } from "#shared/lessons/editing/nodeJson.ts";

// Enter, Backspace and Tab inside of blocks, and the keys for whole blocks

const MAX_DEPTH = 4;

/** Puts the cursor into the next text of the block, or into a new paragraph after it. */
function goOn(editor: Editor, $from: ResolvedPos) {
  const end = $from.after(1);
  const next = TextSelection.findFrom(editor.state.doc.resolve($from.after()), 1, true);
  if (next && next.from < end) return editor.chain().setTextSelection(next.from).scrollIntoView().run();
  return leave(editor, end);
}
export const leave = (editor: Editor, at: number) =>
  editor
    .chain()
    .insertContentAt(at, { type: "paragraph" }, { updateSelection: false })
    .setTextSelection(at + 1)
    .scrollIntoView()
    .run();

/** Adds a sibling after the node at this depth, with the cursor in it. */
function addAfter(editor: Editor, $from: ResolvedPos, depth: number, node: NodeJson) {
  const at = $from.after(depth);
  return editor
    .chain()
    .insertContentAt(at, node, { updateSelection: false })
    .command(({ tr }) => {
      tr.setSelection(TextSelection.near(tr.doc.resolve(at + 1)));
      return true;
    })
    .scrollIntoView()
    .run();
}

const isLastOf = (parent: Node, index: number) => index === parent.childCount - 1;
const itemOf: Record<string, () => NodeJson> = {
  titledItem: newTitledItem,
  card: newCard,
  choice: () => newChoice(),
  pair: newPair,
  option: () => newOption(),
};

/** Enter goes on in the order of reading: the next text, the next item, and out of the block. */
function enter(editor: Editor): boolean {
  const { $from, empty } = editor.state.selection;
  const text = $from.parent;
  if (!empty || $from.depth === 0 || text.type.spec.code) return false;
  const name = text.type.name;
  const isEmpty = text.content.size === 0;
  if (name === "paragraph" || name === "heading") {
    const isAtStart = $from.parentOffset === 0 && !isEmpty;
    // The text keeps its id.
    if (isAtStart)
      return editor.commands.insertContentAt($from.before(), { type: "paragraph" }, { updateSelection: false });
    const isAtEnd = $from.parentOffset === text.content.size;
    return name === "heading" && isAtEnd ? leave(editor, $from.after()) : false;
  }
  if (name === "listItem" || name === "item" || name === "plain") return enterInItem(editor, $from, isEmpty);
  if (name === "richText") return enterInText(editor, $from, isEmpty);
  return goOn(editor, $from);
}

function enterInItem(editor: Editor, $from: ResolvedPos, isEmpty: boolean) {
  const list = $from.node(-1);
  const isAnswer = list.type.name === "question" && $from.parent.type.name === "plain";
  if ($from.parent.type.name === "plain" && !isAnswer) return goOn(editor, $from);
  if (!isEmpty) return editor.commands.command(({ tr }) => Boolean(tr.split($from.pos).scrollIntoView()));
  const depth = Number($from.parent.attrs["depth"] ?? 0);
  if (depth > 0) return indent(editor, -1);
  return list.childCount > 1 ? moveOut(editor, $from) : leave(editor, $from.after(1));
}

/** Removes the empty text with the cursor, and goes on after the block. */
function moveOut(editor: Editor, $from: ResolvedPos) {
  const [from, to, end] = [$from.before(), $from.after(), $from.after(1)];
  return editor.commands.command(({ tr, state }) => {
    tr.delete(from, to);
    const at = tr.mapping.map(end);
    tr.insert(at, state.schema.nodes["paragraph"]!.create());
    tr.setSelection(TextSelection.create(tr.doc, at + 1)).scrollIntoView();
    return true;
  });
}

function enterInText(editor: Editor, $from: ResolvedPos, isEmpty: boolean) {
  const parent = $from.node(-1);
  const index = $from.index(-1);
  const name = parent.type.name;
  const isLast = isLastOf(parent, index);
  if (["choice", "option", "pair", "card"].includes(name)) {
    const isDone = isLast || name === "choice" || name === "option";
    return isDone ? addAfter(editor, $from, $from.depth - 1, itemOf[name]!()) : goOn(editor, $from);
  }
  if (name === "titledItem" && isEmpty && isLast && index > 1) {
    const [from, to, after] = [$from.before(), $from.after(), $from.after(-1)];
    return editor
      .chain()
      .command(({ tr }) => Boolean(tr.delete(from, to)))
      .insertContentAt(after - (to - from), newTitledItem(), { updateSelection: false })
      .setTextSelection(after - (to - from) + 2)
      .run();
  }
  if (name === "titledItem" && index === 0) return goOn(editor, $from);
  const holdsSeveral = ["titledItem", "callout", "confirmation", "video", "audio", "step"].includes(name);
  if (!holdsSeveral) return goOn(editor, $from);
  if (isEmpty && isLast && parent.childCount > 1 && name !== "titledItem") return moveOut(editor, $from);
  return editor.commands.command(({ tr }) => Boolean(tr.split($from.pos).scrollIntoView()));
}

function indent(editor: Editor, by: 1 | -1): boolean {
  const { $from } = editor.state.selection;
  if ($from.parent.type.name !== "listItem") return false;
  const depth = Number($from.parent.attrs["depth"]);
  const before = $from.index(-1) > 0 ? Number($from.node(-1).child($from.index(-1) - 1).attrs["depth"]) : -1;
  const next = Math.max(0, Math.min(depth + by, before + 1, MAX_DEPTH));
  // Tab would leave the editor in the middle of a list.
  if (next === depth) return by > 0;
  return editor.commands.command(({ tr }) => Boolean(tr.setNodeAttribute($from.before(), "depth", next)));
}

/** Backspace at the start of an item joins it with the one before; the first one of a list becomes a paragraph. */
function backspace(editor: Editor): boolean {
  const { $from, empty } = editor.state.selection;
  if (!empty || $from.parentOffset > 0 || $from.depth < 2) return false;
  const list = $from.node(-1);
  const index = $from.index(-1);
  const name = $from.parent.type.name;
  const isEmpty = $from.parent.content.size === 0;
  if (name === "listItem" && Number($from.parent.attrs["depth"]) > 0) return indent(editor, -1);
  if (name === "listItem" && index === 0) return toParagraph(editor, $from, list);
  if (
    ["listItem", "item", "plain", "richText"].includes(name) &&
    index > 0 &&
    list.child(index - 1).type === $from.parent.type
  ) {
    // Fixed places, such as the two sides of a pair, stay.
    if (["pair", "card", "quote"].includes(list.type.name)) return isEmpty;
    return editor.commands.command(({ tr }) => Boolean(tr.join($from.before()).scrollIntoView()));
  }
  if (name === "feedback" && isEmpty) return removeAndGoBack(editor, $from.before(), $from.after());
  const isItem = ["choice", "option", "pair", "titledItem", "card"].includes(list.type.name);
  if (isItem && isEmpty && list.textContent === "" && $from.node(-2).childCount > 1)
    return removeAndGoBack(editor, $from.before(-1), $from.after(-1));
  return false;
}

function removeAndGoBack(editor: Editor, from: number, to: number) {
  return editor.commands.command(({ tr }) => {
    tr.delete(from, to);
    tr.setSelection(TextSelection.near(tr.doc.resolve(from), -1)).scrollIntoView();
    return true;
  });
}

function toParagraph(editor: Editor, $from: ResolvedPos, list: Node) {
  return editor.commands.command(({ tr, state }) => {
    const at = $from.before(1);
    const paragraph = state.schema.nodes["paragraph"]!.create(null, $from.parent.content);
    if (list.childCount === 1) tr.replaceWith(at, at + list.nodeSize, paragraph);
    else tr.delete($from.before(), $from.after()).insert(at, paragraph);
    tr.setSelection(TextSelection.create(tr.doc, at + 1)).scrollIntoView();
    return true;
  });
}

export const isWholeBlock = ({ state }: Editor) =>
  state.selection instanceof NodeSelection && state.selection.$from.depth === 0;

export const LessonKeys = Extension.create({
  name: "lessonKeys",
  priority: 900,
  addKeyboardShortcuts() {
    const { editor } = this;
    const remove = () => isWholeBlock(editor) && removeBlock(editor);
    return {
      Enter: () => (isWholeBlock(editor) ? intoBlock(editor) : enter(editor)),
      Backspace: () => remove() || backspace(editor),
      Delete: remove,
      Tab: () => indent(editor, 1),
      "Shift-Tab": () => indent(editor, -1),
      "Alt-ArrowUp": () => moveBlock(editor, -1),
      "Alt-ArrowDown": () => moveBlock(editor, 1),
      "Mod-d": () => duplicateBlock(editor),
      Escape: () => selectWhole(editor),
    };
  },
});

/** Escape selects the block around the cursor, so that Delete, Alt and the arrows are about it. */
function selectWhole(editor: Editor) {
  const block = selectedBlock(editor.state);
  return block !== null && !isWholeBlock(editor) && editor.commands.setNodeSelection(block.pos);
}

/** Enter on a selected block puts the cursor into it. */
function intoBlock(editor: Editor) {
  const { from, to } = editor.state.selection;
  const inside = TextSelection.findFrom(editor.state.doc.resolve(from + 1), 1, true);
  return inside !== null && inside.from < to ? editor.commands.setTextSelection(inside.from) : leave(editor, to);
}
