import { i18n } from "#web/core/i18n.ts";
import { createStore } from "#web/core/store.ts";

/** Open threads of the open lesson by the id of their block, for the editor. */
export const commentCounts = createStore<ReadonlyMap<string, number>>(new Map());
/** People who find a block unclear, by its id. */
export const unclearCounts = createStore<ReadonlyMap<string, number>>(new Map());
/** Opens the comments; set by the bench. */
export const showComments = createStore<(() => void) | null>(null);

/** The numbers beside a block: of comments, and of people who find it unclear. They open the comments. */
export function countBadges({ comments, unclear }: { comments: number; unclear: number }) {
  const badges = document.createElement("span");
  badges.className = "ly-badges";
  badges.contentEditable = "false";
  const add = (kind: "comments" | "unclear", text: string, label: string) => {
    const badge = document.createElement("button");
    badge.type = "button";
    badge.className = `ly-${kind}`;
    badge.textContent = text;
    badge.setAttribute("aria-label", label);
    badge.addEventListener("click", () => showComments.get()?.());
    badges.append(badge);
  };
  if (comments > 0) add("comments", String(comments), i18n.t("lessonComments.count", { count: comments }));
  if (unclear > 0) add("unclear", `? ${unclear}`, i18n.t("unclearMarks.badge", { count: unclear }));
  return badges;
}
