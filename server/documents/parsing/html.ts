import { type CheerioAPI, load } from "cheerio";
import type { AnyNode, Element } from "domhandler";
import type { FoundText } from "#server/documents/parsing/readText.ts";

/** Elements that contain no text, or none specific to this page. */
const LEFT_OUT =
  "script,style,template,noscript,svg,iframe,nav,header nav,footer,form,button,[hidden],[aria-hidden=true]";
/** Fields of a question that is answered by choosing, of which a page with questions has at least two. */
const CHOICES = "input[type=radio],input[type=checkbox],[role=radio],[role=checkbox],option";
/** What a page of a course marks as a question, as its answers or as what it says about them. */
const QUESTIONS = ["quiz", "question", "answer", "correct", "feedback", "solution"]
  .flatMap((word) => [`[class*=${word} i]`, `[id*=${word} i]`])
  .concat("fieldset", "label", "select", "[data-correct]")
  .join(",");
const BLOCKS = new Set(
  (
    "p,div,section,article,main,ul,ol,dl,table,blockquote,pre,figure,h1,h2,h3,h4,h5,h6," +
    "header,aside,details,body,tr,li,dt,dd"
  ).split(","),
);
const WHOLE = new Set("p,ul,ol,dl,blockquote,pre,figure,li,dt,dd".split(","));

/**
 * The text of a page in order: headings, paragraphs, lists and tables, from `main` if there is one. `isOfCourse`:
 * without questions and their solutions; a page on which something is chosen has no text at all.
 */
export function readHtml(html: string, { isOfCourse = false } = {}): FoundText[] {
  const $ = load(html);
  if (isOfCourse) {
    if ($(CHOICES).length > 1) return [];
    $(QUESTIONS).not("body, html, main").remove();
  }
  $(LEFT_OUT).remove();
  $("br").replaceWith("\n");
  const root = $("main").first().length > 0 ? $("main").first() : $("body");
  const parts: FoundText[] = [];
  let inline = "";
  const flush = () => {
    if (inline.trim()) parts.push({ text: tidy(inline) });
    inline = "";
  };
  const visit = (node: AnyNode) => {
    if (node.type === "text") {
      inline += node.data;
      return;
    }
    if (node.type !== "tag") return;
    const { name } = node;
    if (!BLOCKS.has(name)) {
      for (const child of node.children) visit(child);
      return;
    }
    flush();
    const level = /^h([1-6])$/.exec(name)?.[1];
    if (level) parts.push({ text: tidy($(node).text()).replace(/\n/g, " "), level: Number(level) });
    else if (name === "table" && $(node).find("table").length === 0) parts.push(...readTable($, node));
    else if (name === "ul" || name === "ol") parts.push({ text: listText($, node) });
    else if (WHOLE.has(name) && $(node).find("p,ul,ol,table,div").length === 0)
      parts.push({ text: tidy($(node).text()) });
    else for (const child of node.children) visit(child);
    flush();
  };
  for (const node of root.contents().toArray()) visit(node);
  flush();
  return parts;
}

/** The title of a page, or null. */
export const titleOfHtml = (html: string) => tidy(load(html)("title").first().text()).slice(0, 200) || null;

const tidy = (text: string) =>
  text
    .replace(/[ \t\r\f\u00a0]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{2,}/g, "\n")
    .trim();

const listText = ($: CheerioAPI, list: Element) =>
  $(list)
    .find("li")
    .toArray()
    .map((item) => {
      const own = $(item).clone();
      own.find("ul,ol").remove();
      return `• ${tidy(own.text()).replace(/\n/g, " ")}`;
    })
    .join("\n");

/** Every row with the names of its columns, so that a row can be understood on its own. */
function readTable($: CheerioAPI, table: Element): FoundText[] {
  const rows = $(table)
    .find("tr")
    .toArray()
    .map((row) =>
      $(row)
        .children("th,td")
        .toArray()
        .map((cell) => tidy($(cell).text()).replace(/\n/g, " ")),
    );
  return tableParts(rows);
}

export function tableParts(rows: string[][], page: number | null = null): FoundText[] {
  const [head = [], ...others] = rows.filter((row) => row.some(Boolean));
  if (others.length === 0) return [{ text: head.filter(Boolean).join(" | "), page }];
  const named = (cell: string, at: number) => (head[at] && head[at] !== cell ? `${head[at]}: ${cell}` : cell);
  return others.map((row) => ({
    text: row
      .map((cell, at) => cell && named(cell, at))
      .filter(Boolean)
      .join(" | "),
    page,
  }));
}
