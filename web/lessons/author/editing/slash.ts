import { Extension } from "@tiptap/core";
import Suggestion, { type SuggestionProps } from "@tiptap/suggestion";
import { PluginKey } from "@tiptap/pm/state";
import { createStore } from "#web/core/store.ts";

/** The open menu of blocks: what was typed after the slash, what it replaces, and where it stands. */
export type Slash = { query: string; range: { from: number; to: number }; rect: DOMRect | null };
export const slash = createStore<Slash | null>(null);
/** Set by the menu: handles a key, and says whether it was one of its own. */
export const slashKeys = createStore<((event: KeyboardEvent) => boolean) | null>(null);

const toSlash = ({ query, range, clientRect }: SuggestionProps): Slash => ({
  query,
  range,
  rect: clientRect?.() ?? null,
});

/** Opens the menu of blocks for a slash at the start of an empty text of the lesson. */
export const SlashTrigger = Extension.create({
  name: "slashTrigger",
  addProseMirrorPlugins() {
    return [
      Suggestion({
        editor: this.editor,
        pluginKey: new PluginKey("slash"),
        char: "/",
        startOfLine: true,
        allow: ({ state, range }) => {
          const $from = state.doc.resolve(range.from);
          return $from.depth === 1 && $from.parent.type.name === "paragraph";
        },
        allowSpaces: true,
        items: () => [],
        render: () => ({
          onStart: (props) => slash.set(toSlash(props)),
          onUpdate: (props) => slash.set(toSlash(props)),
          onExit: () => slash.set(null),
          onKeyDown: ({ event }) => {
            if (event.key === "Escape") {
              slash.set(null);
              return true;
            }
            return slash.get() !== null && (slashKeys.get()?.(event) ?? false);
          },
        }),
      }),
    ];
  },
});
