import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { call, queryFor } from "#web/core/api/api.ts";
import { newId } from "#web/core/random.ts";
import { toast } from "#web/core/toast/toast.ts";
import { type CourseDraft, drafts } from "#shared/lessons/drafts.ts";
import { changeOutline, type DraftLesson, type OutlineChange } from "#shared/lessons/outline.ts";

type Module = CourseDraft["modules"][number];

const queues = new Map<string, Promise<unknown>>();
/**
 * Sends the changes of a course one after the other, as they were made. `isLast`: none was made since; the reply to an
 * earlier one would take the later ones back on the screen.
 */
function inOrder<T>(courseId: string, send: () => Promise<T>) {
  const done = (queues.get(courseId) ?? Promise.resolve()).then(send);
  const settled = done.catch(() => undefined);
  queues.set(courseId, settled);
  return { done, isLast: () => queues.get(courseId) === settled };
}

/** Changes of the contents: shown at once, then stored; taken back if the server refuses them. */
export function useOutline(courseId: string) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const query = queryFor(drafts.get, { params: { id: courseId } });
  const { queryKey } = query;
  const change = useCallback(
    async (body: OutlineChange) => {
      // A read that began before the change would take it back for a moment, and with it the field that is typed in.
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData<CourseDraft>(queryKey);
      const after = before && changeOutline(before, body);
      if (before && after && typeof after !== "string") client.setQueryData(queryKey, { ...before, ...after });
      try {
        const sent = inOrder(courseId, () => call(drafts.change, { params: { id: courseId }, body }));
        const stored = await sent.done;
        if (sent.isLast()) {
          await client.cancelQueries({ queryKey });
          client.setQueryData(queryKey, stored);
        }
        return true;
      } catch (error) {
        toast.failed(error);
        await client.invalidateQueries({ queryKey });
        return false;
      }
    },
    // The key is a new array each time, with the same content.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [client, courseId],
  );
  const undo = (label: string, back: OutlineChange) =>
    toast.done(label, { action: { label: t("lessonDrafts.undo"), run: () => void change(back) } });
  return {
    change,
    async addLesson(moduleId: string, at: number, title: string) {
      const id = newId();
      return (await change({ kind: "addLesson", id, title, moduleId, at })) ? id : null;
    },
    addModule: (at: number, title: string) => change({ kind: "addModule", id: newId(), title, at }),
    async copyLesson(lesson: DraftLesson) {
      const id = newId();
      const title = t("lessonDrafts.contents.copyOf", { title: lesson.title }).slice(0, 200);
      return (await change({ kind: "copyLesson", id, of: lesson.id, title })) ? id : null;
    },
    copyModule: (module: Module) =>
      change({
        kind: "copyModule",
        id: newId(),
        of: module.id,
        title: module.title && t("lessonDrafts.contents.copyOf", { title: module.title }).slice(0, 200),
        lessons: module.lessons.map(({ id }) => ({ id: newId(), of: id })),
      }),
    async removeLesson(lesson: DraftLesson, moduleId: string, at: number) {
      if (await change({ kind: "removeLesson", id: lesson.id }))
        undo(t("lessonDrafts.contents.lessonRemoved", { title: lesson.title }), {
          kind: "restoreLesson",
          lesson,
          moduleId,
          at,
        });
    },
    async removeModule(module: Module, at: number) {
      if (await change({ kind: "removeModule", id: module.id }))
        undo(t("lessonDrafts.contents.moduleRemoved"), { kind: "restoreModule", module, at });
    },
  };
}
