/** A formula in TeX. `isBlock`: it stands on a line of its own. */
export type FormulaSource = { tex: string; isBlock: boolean; source: string };

/** Limits: longer formulas, and those beyond this number in a text, are shown as source. */
const MAX_CHARS = 2000;
const MAX_FORMULAS = 300;

/** Private-use characters that enclose the number of a formula while Markdown is parsed. */
const [OPEN, CLOSE] = ["\u{E000}", "\u{E001}"];
export const PLACEHOLDER = /\u{E000}(\d+)\u{E001}/u;

// Code and link targets contain no formulas.
const FENCE = "^ {0,3}(?:`{3,}|~{3,})";
const CODE = String.raw`(?<fence>${FENCE}[^\n]*\n[\s\S]*?(?:${FENCE}[ \t]*$|$(?![\s\S])))`;
const SPAN = "(?<ticks>`+)(?!`)[\\s\\S]*?[^`]\\k<ticks>(?!`)";
const ADDRESS = String.raw`\]\([^)\s]*\)|https?:\/\/\S+`;
const BLOCK = String.raw`\$\$(?<block>[^$]+?)\$\$|\\\[(?<bracketed>[\s\S]+?)\\\]`;
const LINE = String.raw`\\\((?<line>[^\n]+?)\\\)`;
// As in Pandoc: no space inside the dollar signs and no digit after the second, so that prices remain text.
const DOLLARS = String.raw`(?<![\\$\w])\$(?<dollars>[^\s$](?:[^$\n]*[^\s$\\])?)\$(?![\d$])`;
const PATTERN = new RegExp([CODE, SPAN, ADDRESS, BLOCK, LINE, DOLLARS].join("|"), "gmu");
/** Between single dollar signs: a text with spaces must contain a symbol of a formula. */
const isFormula = (tex: string) => !/\s/.test(tex) || /[\\^_{}=<>+*/|]/.test(tex);

/** Replaces the formulas of a text by placeholders, so that Markdown does not interpret their characters. */
export function takeFormulas(text: string): { text: string; formulas: FormulaSource[] } {
  const formulas: FormulaSource[] = [];
  const plain = text.replace(/[\u{E000}\u{E001}]/gu, "");
  if (!/[$\\]/.test(plain)) return { text: plain, formulas };
  const replaced = plain.replace(PATTERN, (source: string, ...rest: unknown[]) => {
    const { block, bracketed, line, dollars } = rest.at(-1) as Record<string, string | undefined>;
    const tex = (block ?? bracketed ?? line ?? dollars)?.trim();
    if (!tex || tex.length > MAX_CHARS || formulas.length >= MAX_FORMULAS) return source;
    if (dollars !== undefined && !isFormula(tex)) return source;
    formulas.push({ tex, isBlock: (block ?? bracketed) !== undefined, source });
    return `${OPEN}${formulas.length - 1}${CLOSE}`;
  });
  return { text: replaced, formulas };
}

/** The properties of a hast node that are used here. */
type Node = { type: string; value?: string; tagName?: string; properties?: Record<string, unknown>; children?: Node[] };

/** Turns the placeholders in parsed Markdown into `var` elements whose title is the number of the formula. */
export function placeFormulas(node: Node) {
  node.children = node.children?.flatMap((child): Node[] => {
    if (child.type !== "text" || !child.value) {
      placeFormulas(child);
      return [child];
    }
    return child.value.split(PLACEHOLDER).flatMap((part, at): Node[] => {
      if (at % 2 === 1) return [{ type: "element", tagName: "var", properties: { title: part }, children: [] }];
      return part ? [{ type: "text", value: part }] : [];
    });
  });
}
