import { SegmentedControl } from "@mantine/core";
import type { Editor } from "@tiptap/core";
import { useEditorState } from "@tiptap/react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { newId } from "#web/core/random.ts";
import { CommentForm } from "#web/lessons/author/comments/CommentForm.tsx";
import classes from "#web/lessons/author/comments/comments.module.css";
import { Thread } from "#web/lessons/author/comments/Thread.tsx";
import type { LessonComments } from "#web/lessons/author/comments/useLessonComments.ts";
import { selectBlock, selectedBlock } from "#web/lessons/author/editing/blockCommands.ts";
import { kindOfNode } from "#web/lessons/author/editing/blockKinds.ts";
import { UnclearInLesson } from "#web/lessons/author/unclear/UnclearInLesson.tsx";
import { type CommentThread, lessonComments } from "#shared/lessons/comments/comments.ts";
import type { UnclearBlock } from "#shared/lessons/unclear/unclearMarks.ts";

const ABOUT_CHARS = 120;

type Props = {
  lessonId: string;
  editor: Editor | null;
  comments: LessonComments;
  /** The thread that a notification leads to. */
  wanted: string | null;
  courseId: string;
  unclear: UnclearBlock[];
  onShow: () => void;
};

/** Comments on the lesson: a new one on the selected block, and all threads in the order of their blocks. */
export function CommentsPanel({ lessonId, editor, comments, wanted, courseId, unclear, onShow }: Props) {
  const { threads, people, mentioned } = comments;
  const { t } = useTranslation();
  const [isResolvedShown, setResolvedShown] = useState(false);
  const [isOfLesson, setOfLesson] = useState(false);
  const panel = useRef<HTMLElement>(null);
  const add = useApiMutation(lessonComments.add);
  const { block, places } = useBlocks(editor);
  const target = isOfLesson ? null : block;
  const isWanted = ({ id }: CommentThread) => id === wanted;
  const placeOf = ({ blockId }: CommentThread) => {
    if (blockId === null) return "lesson";
    return places.includes(blockId) ? "block" : "removed";
  };
  const rank = (thread: CommentThread) => {
    const place = placeOf(thread);
    if (place === "lesson") return -1;
    return place === "removed" ? places.length : places.indexOf(thread.blockId!);
  };
  const resolved = threads.filter(({ resolvedAt }) => resolvedAt !== null).length;
  const isShown = (thread: CommentThread) => isResolvedShown || thread.resolvedAt === null || isWanted(thread);
  const shown = threads.filter(isShown).toSorted((a, b) => rank(a) - rank(b));
  const isFound = shown.some(isWanted);
  useEffect(() => {
    if (wanted && isFound) document.querySelector(`[data-thread="${CSS.escape(wanted)}"]`)?.scrollIntoView();
  }, [wanted, isFound]);
  return (
    <section ref={panel} className={classes.panel} aria-labelledby="comments">
      <UnclearInLesson
        courseId={courseId}
        items={unclear}
        places={places}
        onShow={(id) => {
          if (editor && selectBlock(editor, id)) onShow();
        }}
        onDiscuss={(id) => {
          if (!editor || !selectBlock(editor, id)) return;
          setOfLesson(false);
          requestAnimationFrame(() => panel.current?.querySelector<HTMLElement>("textarea")?.focus());
        }}
      />
      <h2 id="comments" className={classes.title}>
        {t("lessonComments.title")}
      </h2>
      {block && (
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label={t("lessonComments.on")}
          value={isOfLesson ? "lesson" : "block"}
          onChange={(value) => setOfLesson(value === "lesson")}
          data={[
            { value: "block", label: t("lessonComments.onBlock") },
            { value: "lesson", label: t("lessonComments.onLesson") },
          ]}
        />
      )}
      {target && (
        <p className={classes.gone}>
          {t(`lessonDrafts.blocks.${target.kind}.name`)} {target.about && <q>{target.about}</q>}
        </p>
      )}
      <CommentForm
        label={t(target ? "lessonComments.newOnBlock" : "lessonComments.newOnLesson")}
        submitLabel={t("lessonComments.add")}
        people={people}
        onSubmit={(text) =>
          add.mutateAsync({
            params: { id: lessonId },
            body: { id: newId(), text, ...(target && { blockId: target.id, about: target.about }) },
          })
        }
      />
      {threads.length === 0 && <p className={classes.gone}>{t("lessonComments.none")}</p>}
      <ol className={classes.threads}>
        {shown.map((thread) => (
          <Thread
            key={thread.id}
            lessonId={lessonId}
            thread={thread}
            people={people}
            mentioned={mentioned}
            place={placeOf(thread)}
            isCurrent={isWanted(thread) || (target !== null && thread.blockId === target.id)}
            onShow={() => {
              if (editor && thread.blockId && selectBlock(editor, thread.blockId)) onShow();
            }}
          />
        ))}
      </ol>
      {resolved > 0 && (
        <button
          type="button"
          className={classes.more}
          aria-expanded={isResolvedShown}
          onClick={() => setResolvedShown(!isResolvedShown)}
        >
          {t(isResolvedShown ? "lessonComments.hideResolved" : "lessonComments.showResolved", { count: resolved })}
        </button>
      )}
    </section>
  );
}

/** The selected block, and the ids of all blocks in their order. */
function useBlocks(editor: Editor | null) {
  const state = useEditorState({
    editor,
    selector: ({ editor: current }) => {
      if (!current) return null;
      const found = selectedBlock(current.state);
      const places: string[] = [];
      current.state.doc.forEach((node) => void places.push(String(node.attrs["id"])));
      const id = found && String(found.node.attrs["id"]);
      return {
        block:
          found && id
            ? { id, kind: kindOfNode(found.node), about: found.node.textContent.slice(0, ABOUT_CHARS) }
            : null,
        places,
      };
    },
    equalityFn: (a, b) =>
      a?.block?.id === b?.block?.id && a?.block?.about === b?.block?.about && a?.places.join() === b?.places.join(),
  });
  return state ?? { block: null, places: [] };
}
