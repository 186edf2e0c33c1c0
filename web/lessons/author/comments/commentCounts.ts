import { i18n } from "#web/core/i18n.ts";
import { createStore } from "#web/core/store.ts";

/** Open threads of the open lesson by the id of their block, for the editor. */
export const commentCounts = createStore<ReadonlyMap<string, number>>(new Map());
/** Opens the comments; set by the bench. */
export const showComments = createStore<(() => void) | null>(null);

/** The number beside a block; it opens the comments. */
export function commentBadge(count: number) {
  const badge = document.createElement("button");
  badge.type = "button";
  badge.className = "ly-comments";
  badge.contentEditable = "false";
  badge.textContent = String(count);
  badge.setAttribute("aria-label", i18n.t("lessonComments.count", { count }));
  badge.addEventListener("click", () => showComments.get()?.());
  return badge;
}
