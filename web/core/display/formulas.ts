/** A formula in TeX. `isBlock`: it stands on a line of its own. */
export type FormulaSource = { tex: string; isBlock: boolean; source: string };

/** Longer ones, and those beyond this number in a text, are shown as they are written. */
const MAX_CHARS = 2000;
const MAX_FORMULAS = 300;

/** Private characters that stand for a formula while Markdown is parsed: its number between them. */
const [OPEN, CLOSE] = ["\u{E000}", "\u{E001}"];
export const PLACEHOLDER = /\u{E000}(\d+)\u{E001}/u;

// What is code, or the address of a link, holds no formulas.
const CODE = String.raw`(?<fence>^ {0,3}(?:${"`{3,}"}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}(?:${"`{3,}"}|~{3,})[ \t]*$|$(?![\s\S])))`;
const SPAN = "(?<ticks>`+)(?!`)[\\s\\S]*?[^`]\\k<ticks>(?!`)";
const ADDRESS = String.raw`\]\([^)\s]*\)|https?:\/\/\S+`;
const BLOCK = String.raw`\$\$(?<block>[^$]+?)\$\$|\\\[(?<bracketed>[\s\S]+?)\\\]`;
const LINE = String.raw`\\\((?<line>[^\n]+?)\\\)`;
// As in Pandoc: no space inside of the dollars, and no digit after the second, so that prices stay prices.
const DOLLARS = String.raw`(?<![\\$\w])\$(?<dollars>[^\s$](?:[^$\n]*[^\s$\\])?)\$(?![\d$])`;
const PATTERN = new RegExp([CODE, SPAN, ADDRESS, BLOCK, LINE, DOLLARS].join("|"), "gmu");
/** Between single dollars: no words without anything of a formula. */
const isFormula = (tex: string) => !/\s/.test(tex) || /[\\^_{}=<>+*/|]/.test(tex);

/** Takes the formulas of a text out, before Markdown reads its own signs in them. */
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

/** The part of a parsed text that is read here. */
type Node = { type: string; value?: string; tagName?: string; properties?: Record<string, unknown>; children?: Node[] };

/** Makes the places of formulas in parsed Markdown elements `var` whose title is the number of the formula. */
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
