// HTML from word processors and web pages, reduced to what lessons have. It is parsed in a document without scripts,
// loads nothing, and stops at a number of nodes.

const MAX_CHARS = 4_000_000;
const MAX_ELEMENTS = 30_000;
const DROPPED = [
  "script,style,template,noscript,iframe,object,embed,svg,math,form,input,button",
  "select,textarea,meta,link,title,head",
].join(",");
const KEPT = new Set(
  [
    "P H1 H2 H3 H4 H5 H6 UL OL LI TABLE THEAD TBODY TFOOT TR TD TH A",
    "STRONG B EM I U S DEL CODE SUB SUP BR PRE HR",
  ].flatMap((tags) => tags.split(" ")),
);

/** Lists of Word are paragraphs with a level in their style. */
const wordLevel = (element: Element) => {
  const style = element.getAttribute("style") ?? "";
  const level = /mso-list:[^;]*level(\d)/i.exec(style)?.[1];
  return level ? Number(level) : null;
};

export type Cleaned = { html: string; hasImages: boolean; isCut: boolean };

export function cleanPaste(html: string): Cleaned {
  // What was copied in an editor of ours keeps its blocks.
  if (html.includes("data-lesson=")) return { html, hasImages: false, isCut: false };
  const source = new DOMParser().parseFromString(html.slice(0, MAX_CHARS), "text/html");
  for (const element of source.querySelectorAll(DROPPED)) element.remove();
  const hasImages = source.querySelector("img") !== null;
  const target = document.implementation.createHTMLDocument();
  let left = MAX_ELEMENTS;
  const copy = (from: Node, to: Element) => {
    for (const node of from.childNodes) {
      if (left <= 0) return;
      left -= 1;
      if (node.nodeType === Node.TEXT_NODE) to.append(node.textContent ?? "");
      else if (node instanceof Element || node.nodeType === Node.ELEMENT_NODE) copyElement(node as HTMLElement, to);
    }
  };
  const copyElement = (element: HTMLElement, to: Element) => {
    const tag = element.tagName.toUpperCase();
    // Bullets and numbers that Word writes as text.
    if (/mso-list:\s*ignore/i.test(element.getAttribute("style") ?? "")) return;
    const level = tag === "P" ? wordLevel(element) : null;
    if (level !== null) return copyWordItem(element, level, to);
    if (tag === "LI") return copyItem(element, to);
    if ((tag === "UL" || tag === "OL") && to.closest("ul,ol")) return copy(element, to);
    const marks = marksOf(element, tag);
    let home = to;
    for (const mark of marks) home = append(home, mark);
    if (!KEPT.has(tag) || (to.closest("td,th") && /^(P|H\d|UL|OL|BLOCKQUOTE)$/.test(tag))) {
      const isBlock = /^(DIV|SECTION|ARTICLE|P|H\d)$/.test(tag);
      if (isBlock && home.closest("td,th") && home.textContent) home.append(target.createElement("br"));
      return copy(element, home);
    }
    const made = append(home, tag.toLowerCase());
    const href = tag === "A" ? element.getAttribute("href") : null;
    if (href) made.setAttribute("href", href);
    copy(element, made);
  };
  const append = (to: Element, tag: string) => to.appendChild(target.createElement(tag));
  const itemsOf = (to: Element, tag: string) =>
    to.lastElementChild?.tagName.toLowerCase() === tag ? to.lastElementChild : append(to, tag);
  const copyWordItem = (element: HTMLElement, level: number, to: Element) => {
    const isNumbered = /^\s*\(?(\d+|[a-z])[.)]/i.test(element.textContent ?? "");
    const item = append(itemsOf(to, isNumbered ? "ol" : "ul"), "li");
    item.setAttribute("data-depth", String(Math.min(4, level - 1)));
    copy(element, item);
  };
  /** Nested lists become items with a depth. */
  const copyItem = (element: HTMLElement, to: Element) => {
    const list = to.closest("ul,ol") ?? append(to, "ul");
    let depth = -1;
    for (let parent = element.parentElement; parent; parent = parent.parentElement)
      if (/^[UO]L$/i.test(parent.tagName)) depth += 1;
    const item = append(list, "li");
    item.setAttribute("data-depth", String(Math.max(0, Math.min(4, depth))));
    for (const node of Array.from(element.childNodes)) {
      const nested = node instanceof Element && /^[UO]L$/i.test(node.tagName);
      if (nested) copy(node, list);
      else {
        const holder = source.createElement("span");
        holder.append(node);
        const inner = holder.querySelectorAll("p,div");
        for (const one of inner) one.replaceWith(...one.childNodes);
        copy(holder, item);
      }
    }
  };
  copy(source.body, target.body);
  return { html: target.body.innerHTML, hasImages, isCut: left <= 0 || html.length > MAX_CHARS };
}

/** Bold and italic that a page writes as styles. */
function marksOf(element: HTMLElement, tag: string) {
  if (tag !== "SPAN" && tag !== "FONT") return [];
  const { fontWeight, fontStyle, textDecorationLine, verticalAlign } = element.style;
  const marks: string[] = [];
  if (fontWeight === "bold" || Number(fontWeight) >= 600) marks.push("strong");
  if (fontStyle === "italic") marks.push("em");
  if (textDecorationLine.includes("line-through")) marks.push("s");
  if (verticalAlign === "sub" || verticalAlign === "super") marks.push(verticalAlign === "sub" ? "sub" : "sup");
  return marks;
}
