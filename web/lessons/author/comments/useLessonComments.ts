import { useQuery } from "@tanstack/react-query";
import type { Editor } from "@tiptap/core";
import { useEffect, useMemo } from "react";
import { queryFor } from "#web/core/api/api.ts";
import { commentCounts } from "#web/lessons/author/comments/commentCounts.ts";
import { type Colleague, type CommentThread, lessonComments } from "#shared/lessons/comments/comments.ts";

export type LessonComments = {
  threads: CommentThread[];
  people: Colleague[];
  /** Names of who is mentioned, by id. */
  mentioned: Record<string, string>;
  open: number;
};
const NONE: LessonComments = { threads: [], people: [], mentioned: {}, open: 0 };

/** The comments of the open lesson, and their number at each block of the editor. */
export function useLessonComments(lessonId: string | null, editor: Editor | null): LessonComments {
  const { data } = useQuery({
    ...queryFor(lessonComments.list, { params: { id: lessonId ?? "" } }),
    enabled: lessonId !== null,
  });
  const comments = useMemo(
    () => (data ? { ...data, open: data.threads.filter(({ resolvedAt }) => resolvedAt === null).length } : NONE),
    [data],
  );
  useEffect(() => {
    const counts = new Map<string, number>();
    for (const { blockId, resolvedAt } of comments.threads)
      if (blockId !== null && resolvedAt === null) counts.set(blockId, (counts.get(blockId) ?? 0) + 1);
    commentCounts.set(counts);
    // The decorations are made again.
    if (editor && !editor.isDestroyed) editor.view.dispatch(editor.state.tr);
  }, [comments, editor]);
  return comments;
}
