import type { TextBlock } from "#shared/documents/documentVersions.ts";

/** A passage: its range in the text, and the headings above it, from the outermost. */
export type PassageDraft = {
  heading: string;
  pageFrom: number | null;
  pageTo: number | null;
  charFrom: number;
  charTo: number;
};

/** Maximum characters of a passage, unless a single sentence is longer. */
const TARGET_CHARS = 1000;
/** Maximum length of the sentence that is repeated at the start of the next passage. */
const MAX_OVERLAP_CHARS = 250;
/** Text without a sentence end is split after this many characters. */
const MAX_SENTENCE_CHARS = 2000;

const sentences = new Intl.Segmenter(undefined, { granularity: "sentence" });

/**
 * Splits a text by its structure: blocks below the same headings are joined up to about 1000 characters, and a longer
 * block is split between sentences, repeating the last sentence of a passage at the start of the next. Headings are not
 * part of the text of passages but in `heading`.
 */
export function splitPassages(text: string, blocks: TextBlock[]): PassageDraft[] {
  const passages: PassageDraft[] = [];
  const path: { level: number; text: string }[] = [];
  let open: PassageDraft | null = null;
  const close = () => {
    if (open) passages.push(open);
    open = null;
  };
  for (const block of blocks) {
    if (block.level > 0) {
      close();
      while ((path.at(-1)?.level ?? 0) >= block.level) path.pop();
      path.push({ level: block.level, text: text.slice(block.from, block.to).trim() });
      continue;
    }
    const heading = path.map((one) => one.text).join(" › ");
    const draft = (from: number, to: number): PassageDraft => ({
      heading,
      pageFrom: block.page,
      pageTo: block.page,
      charFrom: from,
      charTo: to,
    });
    if (open && block.to - open.charFrom <= TARGET_CHARS) {
      open.charTo = block.to;
      open.pageTo = block.page;
      continue;
    }
    close();
    if (block.to - block.from <= TARGET_CHARS) open = draft(block.from, block.to);
    else for (const [from, to] of splitBlock(text, block.from, block.to)) passages.push(draft(from, to));
  }
  close();
  // A document that consists only of headings, such as slides, has them as passages.
  return passages.length > 0 ? passages : blocks.map(asPassage);
}

const asPassage = ({ from, to, page }: TextBlock): PassageDraft => ({
  heading: "",
  pageFrom: page,
  pageTo: page,
  charFrom: from,
  charTo: to,
});

/** Ranges of whole sentences of a long block. */
function splitBlock(text: string, from: number, to: number): [number, number][] {
  const starts = sentenceStarts(text, from, to);
  const ranges: [number, number][] = [];
  let first = 0;
  while (first < starts.length) {
    let next = first + 1;
    while (next < starts.length && (starts[next + 1] ?? to) - starts[first]! <= TARGET_CHARS) next++;
    ranges.push([starts[first]!, starts[next] ?? to]);
    if (next >= starts.length) break;
    const overlaps = next - 1 > first && starts[next]! - starts[next - 1]! <= MAX_OVERLAP_CHARS;
    first = overlaps ? next - 1 : next;
  }
  return ranges;
}

function sentenceStarts(text: string, from: number, to: number) {
  const starts: number[] = [];
  for (const { index, segment } of sentences.segment(text.slice(from, to)))
    for (let at = 0; at < segment.length; at += MAX_SENTENCE_CHARS) starts.push(from + index + at);
  return starts;
}
