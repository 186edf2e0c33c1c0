import { Extension } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import { i18n } from "#web/core/i18n.ts";
import { commentCounts, countBadges, unclearCounts } from "#web/lessons/author/comments/commentCounts.ts";
import { selectedBlock } from "#web/lessons/author/editing/blockCommands.ts";
import { conditionText } from "#web/lessons/author/editing/conditionText.ts";
import { condition } from "#shared/conditions/conditions.ts";

/** What to write into an empty text, by its node, its parent and its place. */
function placeholderOf(node: Node, parent: Node | null, index: number, isSelected: boolean): string | null {
  const { t } = i18n;
  const name = node.type.name;
  const home = parent?.type.name ?? "doc";
  if (name === "paragraph") return isSelected ? t("lessonDrafts.placeholder.paragraph") : null;
  if (name === "heading") return t("lessonDrafts.placeholder.heading");
  if (name === "plain") {
    if (home === "callout") return t("lessonDrafts.placeholder.calloutTitle");
    return home === "quote" ? t("lessonDrafts.placeholder.source") : t("lessonDrafts.placeholder.answer");
  }
  if (name === "feedback") {
    const when = String(node.attrs["when"]);
    if (when === "choice") return t("lessonDrafts.placeholder.choiceFeedback");
    return when === "right" ? t("lessonDrafts.placeholder.right") : t("lessonDrafts.placeholder.wrong");
  }
  if (name === "item")
    return home === "checklist" ? t("lessonDrafts.placeholder.tick") : t("lessonDrafts.placeholder.step");
  if (name === "gapText") return t("lessonDrafts.placeholder.gapText");
  if (name === "button") return t("lessonDrafts.placeholder.button");
  if (["reflection", "rating", "slider"].includes(name)) return t("lessonDrafts.placeholder.question");
  if (name === "chatbot" || name === "prompt") return t("lessonDrafts.placeholder.invitation");
  if (name !== "richText") return null;
  if (home === "question") return t("lessonDrafts.placeholder.question");
  if (home === "step") return t(`lessonDrafts.placeholder.${parent?.attrs["ending"] ? "endingText" : "stepText"}`);
  if (home === "choice" || home === "option") return t("lessonDrafts.placeholder.choice");
  if (home === "image") return t("lessonDrafts.placeholder.caption");
  if (home === "video" || home === "audio") return t("lessonDrafts.placeholder.transcript");
  if (home === "pair") return t("lessonDrafts.placeholder.pair");
  if (home === "titledItem")
    return index === 0 ? t("lessonDrafts.placeholder.title") : t("lessonDrafts.placeholder.text");
  if (home === "card") return index === 0 ? t("lessonDrafts.placeholder.front") : t("lessonDrafts.placeholder.back");
  return home === "tableCell" ? null : t("lessonDrafts.placeholder.text");
}

/** The sentence above a block that not all learners see. */
function conditionLine(value: unknown, names: Names) {
  const line = document.createElement("p");
  line.className = "ly-condition";
  line.contentEditable = "false";
  const read = condition.safeParse(value).data;
  line.textContent = read ? conditionText(read, names()) : "";
  return line;
}

export type Names = () => { variables: ReadonlyMap<string, string>; questions: ReadonlyMap<string, string> };

/** Placeholders, the frame of the selected block, and conditions in words. */
export const LessonDecorations = Extension.create<{ names: Names }>({
  name: "lessonDecorations",
  addOptions: () => ({ names: () => ({ variables: new Map(), questions: new Map() }) }),
  addProseMirrorPlugins() {
    const { names } = this.options;
    return [
      new Plugin({
        key: new PluginKey("lessonDecorations"),
        props: {
          decorations: (state) => {
            const selected = selectedBlock(state);
            const list: Decoration[] = [];
            state.doc.forEach((block, pos) => {
              const value: unknown = block.attrs["showWhen"];
              if (block.type.name === "divider" && block.attrs["style"] === "continue")
                list.push(Decoration.node(pos, pos + block.nodeSize, { "data-label": i18n.t("lessons.continue") }));
              if (value)
                list.push(
                  Decoration.widget(pos, () => conditionLine(value, names), {
                    side: -1,
                    key: `${String(block.attrs["id"])} ${JSON.stringify(value)}`,
                  }),
                );
            });
            state.doc.forEach((block, pos) => {
              const id = String(block.attrs["id"]);
              const comments = commentCounts.get().get(id) ?? 0;
              const unclear = unclearCounts.get().get(id) ?? 0;
              if (comments + unclear > 0)
                list.push(
                  Decoration.widget(pos, () => countBadges({ comments, unclear }), {
                    side: -2,
                    key: `comments ${id} ${comments} ${unclear}`,
                    ignoreSelection: true,
                    stopEvent: () => true,
                  }),
                );
            });
            if (selected)
              list.push(
                Decoration.node(selected.pos, selected.pos + selected.node.nodeSize, { class: "ly-selected-block" }),
              );
            state.doc.descendants((node, pos, parent, index) => {
              if (!node.isTextblock || node.content.size > 0) return;
              const text = placeholderOf(node, parent, index, selected?.pos === pos);
              if (text) list.push(Decoration.node(pos, pos + node.nodeSize, { "data-placeholder": text }));
            });
            return DecorationSet.create(state.doc, list);
          },
        },
      }),
    ];
  },
});
