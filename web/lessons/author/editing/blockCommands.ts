import type { Editor } from "@tiptap/core";
import { Fragment, type Node } from "@tiptap/pm/model";
import { type EditorState, NodeSelection, Selection, TextSelection } from "@tiptap/pm/state";
import { i18n } from "#web/core/i18n.ts";
import { toast } from "#web/core/toast/toast.ts";
import { type BlockName, newBlock } from "#web/lessons/author/nodes/templates.ts";
import { type NodeJson, withNewIds } from "#shared/lessons/editing/nodeJson.ts";

/** A block of the lesson and where it is. */
export type Place = { node: Node; pos: number; index: number };

/** The block that holds the cursor or is selected. */
export function selectedBlock({ selection, doc }: EditorState): Place | null {
  const { $from } = selection;
  const pos = $from.depth > 0 ? $from.before(1) : $from.pos;
  const node = doc.nodeAt(pos);
  return node ? { node, pos, index: doc.resolve(pos).index(0) } : null;
}

export function findBlock({ doc }: EditorState, id: string): Place | null {
  let found: Place | null = null;
  doc.forEach((node, pos, index) => {
    if (node.attrs["id"] === id) found ??= { node, pos, index };
  });
  return found;
}

/** Moves the selected block past its neighbour, with the cursor in it. */
export function moveBlock(editor: Editor, by: 1 | -1) {
  const block = selectedBlock(editor.state);
  const { doc } = editor.state;
  if (!block || block.index + by < 0 || block.index + by >= doc.childCount) return false;
  const neighbour = doc.child(block.index + by);
  const to = by < 0 ? block.pos - neighbour.nodeSize : block.pos + neighbour.nodeSize;
  return moveTo(editor, block, to);
}

/** Moves a block to a place, given as a position without it. */
export function moveTo(editor: Editor, { node, pos }: Place, to: number) {
  const { selection } = editor.state;
  const within = selection.from - pos;
  const isNode = selection instanceof NodeSelection && selection.from === pos;
  return editor.commands.command(({ tr }) => {
    tr.delete(pos, pos + node.nodeSize).insert(to, node);
    const at = Math.min(to + within, to + node.nodeSize - 1);
    tr.setSelection(isNode || within < 0 ? NodeSelection.create(tr.doc, to) : TextSelection.near(tr.doc.resolve(at)));
    tr.scrollIntoView();
    return true;
  });
}

/** Starts to drag the selected block; the editor moves it where it is dropped. */
export function dragBlock({ state, view }: Editor, data: DataTransfer) {
  const block = selectedBlock(state);
  if (!block) return;
  const selection = NodeSelection.create(state.doc, block.pos);
  view.dispatch(state.tr.setSelection(selection));
  data.setData("text/plain", block.node.textContent);
  data.effectAllowed = "move";
  const element = view.nodeDOM(block.pos);
  if (element instanceof HTMLElement) data.setDragImage(element, 0, 0);
  view.dragging = { slice: selection.content(), move: true };
}

export function duplicateBlock(editor: Editor) {
  const block = selectedBlock(editor.state);
  if (!block) return false;
  const copy = withNewIds(block.node.toJSON() as NodeJson);
  const at = block.pos + block.node.nodeSize;
  return editor
    .chain()
    .insertContentAt(at, copy, { updateSelection: false })
    .setTextSelection(at + 1)
    .scrollIntoView()
    .run();
}

/** Removes the selected block; a toast brings it back, wherever its neighbours are by then. */
export function removeBlock(editor: Editor) {
  const block = selectedBlock(editor.state);
  if (!block) return false;
  const { t } = i18n;
  const removed = block.node.toJSON() as NodeJson;
  const before = block.index > 0 ? String(editor.state.doc.child(block.index - 1).attrs["id"]) : null;
  editor.commands.command(({ tr }) => {
    const isOnly = tr.doc.childCount === 1;
    const end = block.pos + block.node.nodeSize;
    if (isOnly) tr.replaceWith(block.pos, end, tr.doc.type.schema.nodes["paragraph"]!.create());
    else tr.delete(block.pos, end);
    tr.setSelection(Selection.near(tr.doc.resolve(Math.min(block.pos, tr.doc.content.size)), 1));
    return true;
  });
  editor.view.focus();
  toast.done(t("lessonDrafts.block.removed"), {
    action: {
      label: t("lessonDrafts.undo"),
      run: () => {
        if (editor.isDestroyed) return;
        const previous = before === null ? null : findBlock(editor.state, before);
        editor.commands.insertContentAt(previous ? previous.pos + previous.node.nodeSize : 0, removed);
      },
    },
  });
  return true;
}

/** Adds a block after a place, or in place of the empty text with the cursor, and puts the cursor into it. */
export function insertBlock(editor: Editor, name: BlockName, range?: { from: number; to: number }) {
  const json = newBlock(name);
  return editor
    .chain()
    .focus()
    .command(({ tr, state }) => {
      if (range) tr.delete(range.from, range.to);
      const $from = tr.doc.resolve(tr.mapping.map(state.selection.from));
      const pos = $from.depth > 0 ? $from.before(1) : $from.pos;
      const node = tr.doc.nodeAt(pos);
      const isEmpty = node?.type.name === "paragraph" && node.content.size === 0;
      const made = state.schema.nodeFromJSON(inPoolBefore(json, tr.doc, pos));
      const at = isEmpty ? pos : pos + (node?.nodeSize ?? 0);
      if (isEmpty) tr.replaceWith(pos, pos + node.nodeSize, Fragment.from(made));
      else tr.insert(at, made);
      const isLast = at + made.nodeSize === tr.doc.content.size;
      // There has to be a place to go on writing.
      if (isLast && !made.isTextblock) tr.insert(at + made.nodeSize, state.schema.nodes["paragraph"]!.create());
      const inside = TextSelection.near(tr.doc.resolve(at + 1), 1);
      const isInside = inside.from < at + made.nodeSize;
      tr.setSelection(isInside ? inside : NodeSelection.create(tr.doc, at));
      tr.scrollIntoView();
      return true;
    })
    .run();
}

/** A new question is of the pool of the question before it. */
function inPoolBefore(json: NodeJson, doc: Node, pos: number): NodeJson {
  if (json.type !== "question") return json;
  let pool: unknown = null;
  doc.forEach((node, at) => {
    if (at <= pos && node.type.name === "question") pool = node.attrs["pool"];
  });
  return { ...json, attrs: { ...json.attrs, pool } };
}

/** Selects a block and shows it. */
export function selectBlock(editor: Editor, id: string) {
  const block = findBlock(editor.state, id);
  if (!block) return false;
  editor.commands.command(({ tr }) => {
    tr.setSelection(NodeSelection.create(tr.doc, block.pos));
    return true;
  });
  const element = editor.view.nodeDOM(block.pos);
  if (element instanceof HTMLElement) element.scrollIntoView({ block: "center" });
  editor.view.focus();
  return true;
}

/** Changes attributes of the selected block, or of the node at a place. */
export function changeBlock(editor: Editor, pos: number, attributes: Record<string, unknown>) {
  editor.commands.command(({ tr }) => {
    if (!tr.doc.nodeAt(pos)) return false;
    for (const [name, value] of Object.entries(attributes)) tr.setNodeAttribute(pos, name, value);
    return true;
  });
}
