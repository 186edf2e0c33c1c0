import { Extension } from "@tiptap/core";
import { Plugin, PluginKey, type Transaction } from "@tiptap/pm/state";
import { isChangeOrigin } from "@tiptap/extension-collaboration";
import { ID_ATTRIBUTES, newId } from "#shared/lessons/editing/nodeJson.ts";

/**
 * Gives every node the ids that it needs, and the second of two with the same one a new one: after typing, splitting,
 * pasting and duplicating. What arrives from others is left to them, or both would change it.
 */
export const FreshIds = Extension.create({
  name: "freshIds",
  addProseMirrorPlugins: () => [
    new Plugin({
      key: new PluginKey("freshIds"),
      appendTransaction: (transactions, _before, { doc, tr }) => {
        if (!transactions.some((one) => one.docChanged && !isChangeOrigin(one))) return null;
        const seen = new Set<string>();
        doc.descendants((node, pos) => {
          for (const name of ID_ATTRIBUTES[node.type.name] ?? []) {
            const id: unknown = node.attrs[name];
            if (typeof id === "string" && !seen.has(id)) seen.add(id);
            else tr.setNodeAttribute(pos, name, newId());
          }
        });
        return tr.docChanged ? keepMarks(tr) : null;
      },
    }),
  ],
});

/** What the next typed letter looks like survives the change. */
const keepMarks = (tr: Transaction) => tr.setStoredMarks(tr.storedMarks);
