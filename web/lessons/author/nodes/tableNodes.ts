import { Extension } from "@tiptap/core";
import { goToNextCell, tableEditing } from "@tiptap/pm/tables";
import { lessonNode } from "#web/lessons/author/nodes/lessonNode.ts";

// Tables without merged cells: every cell has one text

const Table = lessonNode({
  name: "table",
  group: "block",
  content: "tableRow*",
  isolating: true,
  attributes: { hasHead: true, hasHeadColumn: false, caption: "" },
  tag: "table",
  reads: [
    {
      tag: "table",
      attributes: (element) => ({ hasHead: element.querySelector("tr:first-child th, thead tr") !== null }),
    },
  ],
  extendNodeSchema: (extension) => (extension.name === "table" ? { tableRole: "table" } : {}),
});
const TableRow = lessonNode({
  name: "tableRow",
  content: "tableCell*",
  tag: "tr",
  reads: [{ tag: "tr" }],
  extendNodeSchema: (extension) => (extension.name === "tableRow" ? { tableRole: "row" } : {}),
});
const TableCell = lessonNode({
  name: "tableCell",
  content: "richText*",
  isolating: true,
  tag: "td",
  // What prosemirror-tables expects of a cell.
  attributes: { colspan: 1, rowspan: 1, colwidth: null },
  reads: ["td", "th"].map((tag) => ({ tag, attributes: () => ({}) })),
  extendNodeSchema: (extension) => (extension.name === "tableCell" ? { tableRole: "cell" } : {}),
});

const TableKeys = Extension.create({
  name: "tableKeys",
  addKeyboardShortcuts() {
    const go = (direction: 1 | -1) => () => goToNextCell(direction)(this.editor.state, this.editor.view.dispatch);
    return { Tab: go(1), "Shift-Tab": go(-1) };
  },
  addProseMirrorPlugins: () => [tableEditing()],
});

export const tableNodes = [Table, TableRow, TableCell, TableKeys];
