import { load } from "cheerio";
import type { AnyNode, Element } from "domhandler";
import { createBlocks } from "#server/lessons/transfer/reading/htmlBlocks.ts";
import { collectRuns, plainOf } from "#server/lessons/transfer/reading/inlineRuns.ts";
import { type ReadCourse, type ReadModule, UnreadableDocument } from "#server/lessons/transfer/reading/readDocument.ts";
import type { LessonBlock } from "#shared/lessons/blocks.ts";
import { MAX_BLOCKS } from "#shared/lessons/lessonDocument.ts";
import type { LeftBehind } from "#shared/lessons/transfer/transfer.ts";

type Options = {
  /** Of what stands before the first heading. */
  title: string;
  level: 1 | 2;
  picture: (address: string) => Uint8Array | null;
};
const MAX_TITLE_CHARS = 200;
const HEADING = /^h[1-6]$/;
/** What contains others, and is read as what it contains. */
const GROUPS = new Set(
  "html,body,div,section,article,main,header,footer,aside,nav,center,dl,form,fieldset,tbody,hgroup".split(","),
);
const INVISIBLE = "script,style,template,noscript,head,title,meta,link,[hidden]";
/** What lessons do not have, or not like this. */
const EMBEDDED = "iframe,object,embed,video,audio,canvas,svg,math,textarea,select,button,input:not([type=checkbox])";

/** Elements within each other. */
const MAX_DEPTH = 400;
function isTooDeep(roots: AnyNode[]) {
  let level: AnyNode[] = roots;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((node) => ("children" in node ? node.children : []));
  }
  return false;
}

/** A page as lessons, which its headings begin. With headings 2, those above them begin modules. */
export function readHtmlLessons(html: string, { title, level, picture }: Options): ReadCourse {
  const $ = load(html);
  if (isTooDeep($.root().toArray())) throw new UnreadableDocument("tooMuchWork");
  const left = new Map<LeftBehind["kind"], number>();
  const leave = (kind: LeftBehind["kind"], count = 1) => void left.set(kind, (left.get(kind) ?? 0) + count);
  $(INVISIBLE).remove();
  const embedded = $(EMBEDDED);
  if (embedded.length > 0) leave("embedded", embedded.length);
  embedded.remove();

  const modules: ReadModule[] = [];
  let lesson: ReadModule["lessons"][number] | null = null;
  let nextTitle = title;
  const openModule = (name: string) => void modules.push({ title: name.slice(0, MAX_TITLE_CHARS), lessons: [] });
  const openLesson = (name: string) => {
    if (modules.length === 0) openModule("");
    lesson = { title: name.slice(0, MAX_TITLE_CHARS), blocks: [] };
    modules.at(-1)?.lessons.push(lesson);
    return lesson;
  };
  const add = (block: LessonBlock) => {
    let home = lesson ?? openLesson(nextTitle);
    // A lesson that is longer than one may be continues in another.
    if (home.blocks.length >= MAX_BLOCKS) home = openLesson(home.title);
    home.blocks.push(block);
  };
  const blocks = createBlocks({ add, leave, picture });
  const onHeading = (element: Element) => {
    const depth = Number(element.name.slice(1));
    const name = plainOf(collectRuns(element.children, () => false));
    for (const image of $(element).find("img").toArray()) blocks.image(image);
    if (!name) return;
    if (depth > level) return blocks.heading(element, Math.min(4, Math.max(2, depth - level + 1)) as 2);
    if (depth === level) return void openLesson(name);
    openModule(name);
    lesson = null;
    nextTitle = name;
  };
  const visitAll = (nodes: AnyNode[]) => {
    let inline: AnyNode[] = [];
    const flush = () => {
      blocks.paragraph(inline);
      inline = [];
    };
    for (const node of nodes) {
      if (node.type !== "tag") {
        if (node.type === "text") inline.push(node);
        continue;
      }
      if (HEADING.test(node.name)) {
        flush();
        onHeading(node);
      } else if (GROUPS.has(node.name)) {
        flush();
        visitAll(node.children);
      } else if (blocks.isBlock(node)) {
        flush();
        blocks.read(node);
      } else if ($(node).find("h1,h2,h3,h4,h5,h6,p,ul,ol,table,pre,blockquote,div").length > 0) {
        flush();
        visitAll(node.children);
      } else inline.push(node);
    }
    flush();
  };
  visitAll($.root().toArray()[0]?.children ?? []);
  return {
    modules: modules.filter(({ lessons }) => lessons.length > 0),
    pictures: blocks.pictures,
    leftBehind: [...left].map(([kind, count]) => ({ kind, count })),
  };
}
