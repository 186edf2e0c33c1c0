import { randomUUID } from "node:crypto";
import type { AnyNode, Element } from "domhandler";
import { collectRuns, plainOf, toText, toTexts } from "#server/lessons/transfer/reading/inlineRuns.ts";
import { readTable } from "#server/lessons/transfer/reading/htmlTable.ts";
import type { ReadPicture } from "#server/lessons/transfer/reading/readDocument.ts";
import { type LessonBlock, MAX_ITEMS } from "#shared/lessons/blocks.ts";
import { newId } from "#shared/lessons/editing/nodeJson.ts";
import type { Inline } from "#shared/lessons/richText.ts";
import type { LeftBehind } from "#shared/lessons/transfer/transfer.ts";

type Context = {
  add: (block: LessonBlock) => void;
  leave: (kind: LeftBehind["kind"], count?: number) => void;
  picture: (address: string) => Uint8Array | null;
};
type Item = { text: Inline[]; depth: number; isChecked: boolean | null };

const MAX_LIST = MAX_ITEMS * 3;
const MAX_CODE_CHARS = 20_000;
const MAX_ALT_CHARS = 1000;
const MAX_SOURCE_CHARS = 300;
const tones = { note: "note", tip: "tip", important: "note", warning: "warning", caution: "danger" } as const;
const ALERT = new RegExp(`^\\s*\\[!(${Object.keys(tones).join("|")})\\]\\s*`, "i");

export const isTag = (node: AnyNode): node is Element => node.type === "tag";
const children = (element: Element, ...names: string[]) =>
  element.children.filter((node): node is Element => isTag(node) && names.includes(node.name));
const textOf = (node: AnyNode): string => {
  if (node.type === "text") return node.data;
  if (!isTag(node)) return "";
  return node.name === "br" ? "\n" : node.children.map(textOf).join("");
};
const chunk = <T>(list: T[], size: number) =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, n) => list.slice(n * size, (n + 1) * size));

/** Reads elements of HTML as blocks, and gives them to `add` in their order. */
export function createBlocks({ add, leave, picture }: Context) {
  const pictures: ReadPicture[] = [];

  function image(element: Element, caption: Inline[] = []) {
    const { src = "", alt } = element.attribs;
    const bytes = picture(src);
    if (!bytes) return leave("picture");
    const placeholder = randomUUID();
    pictures.push({ placeholder, name: `picture-${pictures.length + 1}`, type: "", bytes });
    const file = { fileId: placeholder, name: "", type: "", bytes: 0 };
    const said = (alt ?? "").trim().slice(0, MAX_ALT_CHARS);
    const text = caption.length > 0 ? caption : titleOf(element);
    add({
      kind: "image",
      id: newId(),
      file,
      alt: said,
      isDecorative: alt !== undefined && said === "",
      caption: toText(text),
      width: "text",
    });
  }
  const titleOf = ({ attribs: { title } }: Element): Inline[] => (title ? [{ kind: "text", text: title }] : []);

  /** Text without what stands for itself, which is added after it. */
  function inlineOf(nodes: AnyNode[], isOther: (element: Element) => boolean = () => false) {
    const images: Element[] = [];
    const runs = collectRuns(nodes, (element) => {
      if (element.name === "img") images.push(element);
      return element.name === "img" || isOther(element);
    });
    return { runs, images };
  }
  const addText = (runs: Inline[]) => {
    for (const text of toTexts(runs)) add({ kind: "paragraph", id: newId(), text });
  };
  function paragraph(nodes: AnyNode[]) {
    const { runs, images } = inlineOf(nodes);
    addText(runs);
    for (const one of images) image(one);
  }
  function heading(element: Element, level: 2 | 3 | 4) {
    add({ kind: "heading", id: newId(), level, text: toText(inlineOf(element.children).runs) });
  }

  function listItems(list: Element, depth: number, images: Element[]): Item[] {
    return children(list, "li").flatMap((item) => {
      const nested: Element[] = [];
      let isChecked: boolean | null = null;
      const found = inlineOf(item.children, (element) => {
        if (element.name === "input") isChecked = element.attribs.checked !== undefined;
        if (element.name === "ul" || element.name === "ol") nested.push(element);
        return ["ul", "ol", "input"].includes(element.name);
      });
      images.push(...found.images);
      const inner = nested.flatMap((one) => listItems(one, Math.min(4, depth + 1), images));
      return found.runs.length > 0 ? [{ text: found.runs, depth, isChecked }, ...inner] : inner;
    });
  }
  function list(element: Element) {
    const images: Element[] = [];
    const items = listItems(element, 0, images);
    const entry = ({ text }: Item) => ({ id: newId(), text: toText(text) });
    if (items.length > 0 && items.every(({ isChecked }) => isChecked !== null))
      for (const part of chunk(items, MAX_ITEMS))
        add({ kind: "checklist", id: newId(), items: part.map(entry), required: false });
    else
      for (const part of chunk(items, MAX_LIST)) {
        let before = -1;
        const placed = part.map((item) => {
          before = Math.min(item.depth, before + 1);
          return { ...entry(item), depth: before };
        });
        add({ kind: "list", id: newId(), style: element.name === "ol" ? "numbers" : "bullets", items: placed });
      }
    for (const one of images) image(one);
  }

  function quote(element: Element) {
    const images: Element[] = [];
    const parts = blocksIn(element).map((nodes) => {
      const found = inlineOf(nodes);
      images.push(...found.images);
      return found.runs;
    });
    const texts = parts.filter((runs) => runs.length > 0);
    const tone = ALERT.exec(plainOf(texts[0] ?? []))?.[1]?.toLowerCase() as keyof typeof tones | undefined;
    if (tone) {
      const [first, ...rest] = texts;
      const shown = [withoutStart(first ?? []), ...rest].filter((runs) => runs.length > 0);
      const text = shown.length > 0 ? shown.slice(0, MAX_ITEMS).map(toText) : [toText([])];
      add({ kind: "callout", id: newId(), tone: tones[tone], title: "", text });
    } else if (texts.length > 0) {
      const last = plainOf(texts.at(-1) ?? []);
      const source = texts.length > 1 && /^[—–] ?\S/.test(last) ? last.replace(/^[—–] ?/, "") : "";
      const said = source ? texts.slice(0, -1) : texts;
      const runs = said.flatMap((one, n): Inline[] => (n === 0 ? one : [{ kind: "break" }, ...one]));
      add({ kind: "quote", id: newId(), text: toText(runs), source: source.slice(0, MAX_SOURCE_CHARS) });
    }
    for (const one of images) image(one);
  }
  const withoutStart = ([first, ...rest]: Inline[]): Inline[] => {
    if (first?.kind !== "text") return rest;
    const text = first.text.replace(ALERT, "");
    const after = text === "" && rest[0]?.kind === "break" ? rest.slice(1) : rest;
    return text === "" ? after : [{ ...first, text }, ...after];
  };

  function code(element: Element) {
    const [inner] = children(element, "code");
    const language = /language-([\w+#-]{1,40})/.exec((inner ?? element).attribs.class ?? "")?.[1] ?? "";
    const text = textOf(element).replace(/\n$/, "");
    for (let at = 0; at < text.length; at += MAX_CODE_CHARS)
      add({ kind: "code", id: newId(), text: text.slice(at, at + MAX_CODE_CHARS), language });
  }

  function figure(element: Element) {
    const [caption] = children(element, "figcaption");
    const { runs, images } = inlineOf(element.children.filter((node) => node !== caption));
    const said = caption ? inlineOf(caption.children).runs : [];
    addText(runs);
    for (const [n, one] of images.entries()) image(one, n === images.length - 1 ? said : []);
    if (images.length === 0) addText(said);
  }

  function details(element: Element) {
    const [summary] = children(element, "summary");
    const { runs } = inlineOf(summary?.children ?? []);
    const parts = blocksIn({ ...element, children: element.children.filter((node) => node !== summary) } as Element);
    const texts = parts.map((nodes) => inlineOf(nodes).runs).filter((one) => one.length > 0);
    const item = { id: newId(), title: toText(runs), text: texts.slice(0, MAX_ITEMS).map(toText) };
    add({ kind: "accordion", id: newId(), items: [item] });
  }

  const readers: Record<string, (element: Element) => void> = {
    p: (element) => paragraph(element.children),
    address: (element) => paragraph(element.children),
    dt: (element) => paragraph(element.children),
    dd: (element) => paragraph(element.children),
    ul: list,
    ol: list,
    menu: list,
    blockquote: quote,
    pre: code,
    hr: () => add({ kind: "divider", id: newId(), style: "line" }),
    img: (element) => image(element),
    figure,
    details,
    table: (element) => {
      const { blocks, images, lost } = readTable(element, (nodes) => inlineOf(nodes));
      for (const block of blocks) add(block);
      for (const one of images) image(one);
      if (lost > 0) leave("cells", lost);
    },
  };
  return {
    pictures,
    image,
    heading,
    paragraph,
    isBlock: ({ name }: Element) => Object.hasOwn(readers, name),
    read: (element: Element) => readers[element.name]?.(element),
  };
}

const BLOCKS = /^(p|div|ul|ol|li|table|tr|blockquote|pre|h[1-6]|section|article)$/;
/** The paragraphs within an element, however deep. */
function blocksIn(element: Element): AnyNode[][] {
  const parts: AnyNode[][] = [];
  let inline: AnyNode[] = [];
  const visit = (nodes: AnyNode[]) => {
    for (const node of nodes)
      if (isTag(node) && BLOCKS.test(node.name)) {
        parts.push(inline);
        inline = [];
        visit(node.children);
        parts.push(inline);
        inline = [];
      } else inline.push(node);
  };
  visit(element.children);
  return [...parts, inline].filter((nodes) => nodes.length > 0);
}
