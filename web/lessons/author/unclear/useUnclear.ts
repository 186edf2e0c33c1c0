import { useQuery } from "@tanstack/react-query";
import type { Editor } from "@tiptap/core";
import { useEffect, useMemo } from "react";
import { queryFor } from "#web/core/api/api.ts";
import { unclearCounts } from "#web/lessons/author/comments/commentCounts.ts";
import { type UnclearBlock, unclearMarks } from "#shared/lessons/unclear/unclearMarks.ts";

const NONE: UnclearBlock[] = [];

/** What learners find unclear in the open lesson, and how many people at each block of the editor. */
export function useUnclear(courseId: string, lessonId: string | null, editor: Editor | null): UnclearBlock[] {
  const { data } = useQuery({
    ...queryFor(unclearMarks.list, { params: { id: courseId }, query: { lessonId: lessonId ?? "" } }),
    enabled: lessonId !== null,
  });
  const items = data?.items ?? NONE;
  const counts = useMemo(() => new Map(items.map(({ blockId, open }) => [blockId, open])), [items]);
  useEffect(() => {
    unclearCounts.set(counts);
    // The decorations are made again.
    if (editor && !editor.isDestroyed) editor.view.dispatch(editor.state.tr);
  }, [counts, editor]);
  return items;
}
