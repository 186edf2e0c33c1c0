import { InputRule, Mark, markInputRule, Node, nodeInputRule, textblockTypeInputRule } from "@tiptap/core";
import { TextSelection } from "@tiptap/pm/state";
import { lessonNode } from "#web/lessons/author/nodes/lessonNode.ts";
import type { Mark as MarkName } from "#shared/lessons/richText.ts";
import { languageTag, linkTarget } from "#shared/lessons/richText.ts";

// Text and its marks

export const Doc = Node.create({ name: "doc", topNode: true, content: "block+" });
export const Text = Node.create({ name: "text", group: "inline" });
export const HardBreak = Node.create({
  name: "hardBreak",
  group: "inline",
  inline: true,
  selectable: false,
  linebreakReplacement: true,
  parseHTML: () => [{ tag: "br" }],
  renderHTML: () => ["br"],
  renderText: () => "\n",
  addKeyboardShortcuts() {
    const add = () =>
      this.editor.commands.first(({ commands }) => [
        () => commands.exitCode(),
        () => commands.insertContent({ type: "hardBreak" }),
      ]);
    return { "Shift-Enter": add, "Mod-Enter": add };
  },
});

export const Paragraph = lessonNode({
  name: "paragraph",
  group: "block",
  content: "inline*",
  priority: 1000,
  tag: "p",
  reads: [{ tag: "p" }],
});

export const LEVELS = [2, 3, 4] as const;
export const Heading = lessonNode({
  name: "heading",
  group: "block",
  content: "inline*",
  defining: true,
  attributes: { level: 2 },
  tag: ({ level }) => `h${String(level)}`,
  reads: [1, 2, 3, 4, 5, 6].map((level) => ({
    tag: `h${level}`,
    attributes: () => ({ level: Math.min(4, Math.max(2, level)) }),
  })),
  addKeyboardShortcuts() {
    return Object.fromEntries(
      LEVELS.map((level) => [
        `Mod-Alt-${level}`,
        () => this.editor.commands.toggleNode("heading", "paragraph", { level }),
      ]),
    );
  },
  addInputRules() {
    return [1, ...LEVELS].map((level) =>
      textblockTypeInputRule({
        find: new RegExp(`^(#{${level}})\\s$`),
        type: this.type,
        getAttributes: () => ({ level: Math.max(2, level) }),
      }),
    );
  },
});

/** A text inside of a block, with its own id. */
export const RichTextNode = lessonNode({ name: "richText", content: "inline*", tag: "p", defining: true });
/** A text without marks: the title of a callout, the source of a quote, an accepted answer. */
export const Plain = lessonNode({ name: "plain", content: "text*", marks: "", tag: "p", defining: true });
/** What a learner reads after an answer; `when`: "choice", "right" or "wrong". */
export const Feedback = lessonNode({
  name: "feedback",
  content: "inline*",
  tag: "p",
  defining: true,
  attributes: { when: "right" },
});

export const Quote = lessonNode({
  name: "quote",
  group: "block",
  content: "(richText | plain)*",
  defining: true,
  isolating: true,
  tag: "blockquote",
});

export const CodeBlock = lessonNode({
  name: "codeBlock",
  group: "block",
  content: "text*",
  marks: "",
  code: true,
  defining: true,
  attributes: { language: "" },
  tag: "pre",
  reads: [{ tag: "pre" }],
  addInputRules() {
    return [textblockTypeInputRule({ find: /^```\s$/, type: this.type })];
  },
});

export const Callout = lessonNode({
  name: "callout",
  group: "block",
  content: "(plain | richText)*",
  defining: true,
  isolating: true,
  attributes: { tone: "note" },
  tag: "aside",
});

export const Divider = lessonNode({
  name: "divider",
  group: "block",
  attributes: { style: "line" },
  reads: [{ tag: "hr" }],
  addInputRules() {
    return [nodeInputRule({ find: /^---\s$/, type: this.type })];
  },
});

export const List = lessonNode({
  name: "list",
  group: "block",
  content: "listItem*",
  defining: true,
  isolating: true,
  attributes: { style: "bullets" },
  tag: ({ style }) => (style === "numbers" ? "ol" : "ul"),
  reads: [
    { tag: "ul", attributes: () => ({ style: "bullets" }) },
    { tag: "ol", attributes: () => ({ style: "numbers" }) },
  ],
  addInputRules() {
    return [listRule(/^\s*[-+*]\s$/, "bullets"), listRule(/^\s*1[.)]\s$/, "numbers")];
  },
});
/** A paragraph becomes the first item of a list; its text keeps its id. */
const listRule = (find: RegExp, style: string) =>
  new InputRule({
    find,
    handler: ({ state, range }) => {
      const $from = state.doc.resolve(range.from);
      if ($from.depth !== 1 || $from.parent.type.name !== "paragraph") return null;
      const { list, listItem } = state.schema.nodes;
      const { tr } = state;
      const [from, { textId }] = [$from.before(), $from.parent.attrs as { textId: string }];
      tr.delete(range.from, range.to);
      const text = tr.doc.nodeAt(from)!;
      const made = list!.create({ style }, listItem!.create({ textId }, text.content));
      tr.replaceWith(from, from + text.nodeSize, made).setSelection(TextSelection.create(tr.doc, from + 2));
    },
  });
export const ListItem = lessonNode({
  name: "listItem",
  content: "inline*",
  attributes: { depth: 0 },
  defining: true,
  tag: "li",
  reads: [{ tag: "li", attributes: (element) => ({ depth: Math.min(4, Number(element.dataset["depth"]) || 0) }) }],
});

const simpleMark = (name: MarkName, tags: string[], key?: string, find?: RegExp) =>
  Mark.create({
    name,
    ...(name === "code" && { code: true }),
    ...((name === "subscript" || name === "superscript") && { excludes: "subscript superscript" }),
    parseHTML: () => tags.map((tag) => ({ tag })),
    renderHTML: () => [tags[0] ?? "span", 0],
    addKeyboardShortcuts() {
      return key ? { [key]: () => this.editor.commands.toggleMark(name) } : {};
    },
    addInputRules() {
      return find ? [markInputRule({ find, type: this.type })] : [];
    },
  });

const LinkMark = Mark.create({
  name: "link",
  inclusive: false,
  addAttributes: () => ({ href: { default: null } }),
  parseHTML: () => [
    {
      tag: "a[href]",
      getAttrs: (element) => linkTarget.safeParse(element.getAttribute("href")).success && null,
    },
  ],
  renderHTML: ({ HTMLAttributes }) => {
    const { href } = HTMLAttributes as { href?: string };
    return ["a", linkTarget.safeParse(href).success ? { href, rel: "noreferrer noopener" } : {}, 0];
  },
});

const LanguageMark = Mark.create({
  name: "language",
  addAttributes: () => ({ language: { default: null, rendered: false } }),
  parseHTML: () => [
    {
      tag: "span[lang]",
      getAttrs: (element) => {
        const language = languageTag.safeParse(element.getAttribute("lang")).data;
        return language ? { language } : false;
      },
    },
  ],
  renderHTML: ({ mark }) => ["span", { lang: String(mark.attrs["language"]) }, 0],
});

export const textNodes = [
  Doc,
  Text,
  HardBreak,
  Paragraph,
  Heading,
  RichTextNode,
  Plain,
  Feedback,
  Quote,
  CodeBlock,
  Callout,
  Divider,
  List,
  ListItem,
  simpleMark("bold", ["strong", "b"], "Mod-b", /(?:^|\s)(\*\*([^*\s][^*]*)\*\*)$/),
  simpleMark("italic", ["em", "i"], "Mod-i", /(?:^|\s)(\*([^*\s][^*]*)\*)$/),
  simpleMark("underline", ["u"], "Mod-u"),
  simpleMark("strike", ["s", "del"], "Mod-Shift-s"),
  simpleMark("code", ["code"], "Mod-e", /(?:^|\s)(`([^`]+)`)$/),
  simpleMark("subscript", ["sub"]),
  simpleMark("superscript", ["sup"]),
  LinkMark,
  LanguageMark,
];
