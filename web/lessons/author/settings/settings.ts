import type { Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { changeBlock } from "#web/lessons/author/editing/blockCommands.ts";

/** A node whose settings are shown, and how they are changed. */
export type Settings = { editor: Editor; node: Node; pos: number };
export const changeSettings = ({ editor, pos }: Settings, attributes: Record<string, unknown>) =>
  changeBlock(editor, pos, attributes);
export const textOf = ({ node }: Settings, name: string) => String(node.attrs[name] ?? "");
