import type { Editor } from "@tiptap/core";

/** Moves a step past its neighbour. The first step is the start. */
export const moveStep = (editor: Editor, pos: number, by: 1 | -1) =>
  editor.commands.command(({ tr }) => {
    const step = tr.doc.nodeAt(pos);
    const $pos = tr.doc.resolve(pos);
    const index = $pos.index();
    const neighbour = $pos.parent.maybeChild(index + by);
    if (!step || !neighbour) return false;
    const to = by < 0 ? pos - neighbour.nodeSize : pos + neighbour.nodeSize;
    tr.delete(pos, pos + step.nodeSize).insert(to, step);
    return true;
  });

/** Changes attributes of steps by their keys, wherever they are by now. */
export const changeSteps = (editor: Editor, scenarioPos: number, keys: string[], attributes: Record<string, unknown>) =>
  editor.commands.command(({ tr }) => {
    const scenario = tr.doc.nodeAt(scenarioPos);
    scenario?.forEach((step, offset) => {
      if (!keys.includes(String(step.attrs["key"]))) return;
      for (const [name, value] of Object.entries(attributes))
        tr.setNodeAttribute(scenarioPos + 1 + offset, name, value);
    });
    return tr.docChanged;
  });
