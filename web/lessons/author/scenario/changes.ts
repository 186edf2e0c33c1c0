import type { Editor } from "@tiptap/core";
import { newOption, newStep } from "#web/lessons/author/nodes/templates.ts";
import { MAX_STEPS } from "#shared/lessons/scenarios.ts";

/** The value of a select by which a choice leads to a step that does not exist yet. */
export const NEW_STEP = "+";

/** Makes the choice at a place lead to a step, or to a new one after the last step that is no ending. */
export const leadTo = (editor: Editor, pos: number, to: string | null) =>
  editor.commands.command(({ tr, state }) => {
    if (tr.doc.nodeAt(pos)?.type.name !== "option") return false;
    if (to !== NEW_STEP) {
      tr.setNodeAttribute(pos, "to", to);
      return true;
    }
    const $pos = tr.doc.resolve(pos);
    const scenario = $pos.node(1);
    if (scenario.childCount >= MAX_STEPS) return false;
    let at = $pos.after(2);
    scenario.forEach((step, offset) => {
      if (!step.attrs["ending"]) at = Math.max(at, $pos.start(1) + offset + step.nodeSize);
    });
    const step = newStep(null, [newOption(), newOption()]);
    tr.setNodeAttribute(pos, "to", step.attrs?.["key"]).insert(at, state.schema.nodeFromJSON(step));
    return true;
  });

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
