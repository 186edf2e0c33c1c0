import { ActionIcon, Button, Tooltip } from "@mantine/core";
import {
  IconAdjustments,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconEye,
  IconHistory,
  IconListTree,
  IconMessage,
} from "@tabler/icons-react";
import type { Editor } from "@tiptap/core";
import { useEditorState } from "@tiptap/react";
import { type RefObject, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { Pill } from "#web/core/display/Pill.tsx";
import { formatTime, initials } from "#web/core/format/format.ts";
import { messageOf } from "#web/core/http/messages.ts";
import { Heading } from "#web/core/layout/Heading.tsx";
import { toast } from "#web/core/toast/toast.ts";
import classes from "#web/lessons/author/bench.module.css";
import { TransferMenu } from "#web/lessons/author/transfer/TransferMenu.tsx";
import type { LessonSync } from "#web/lessons/author/sync/lessonSync.ts";
import type { CourseDraft } from "#shared/lessons/drafts.ts";
import type { DraftLesson } from "#shared/lessons/outline.ts";

export type Panel = "contents" | "settings" | "comments" | null;
type Props = {
  draft: CourseDraft;
  lesson: DraftLesson | null;
  sync: LessonSync | null;
  editor: Editor | null;
  isNarrow: boolean;
  onPanel: (panel: Panel) => void;
  onPublish: () => void;
  onOpen: (lessonId: string) => void;
  /** Open threads of comments; null where there can be none. */
  comments: number | null;
  isCommenting: boolean;
  onComments: () => void;
};

/** Where one is, whether everything is saved, who else is here, and what can be done with the draft. */
export function BenchHead(props: Props) {
  const { draft, lesson, sync, editor, isNarrow, onPanel, onPublish, onOpen } = props;
  const { comments, isCommenting, onComments } = props;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const head = useRef<HTMLElement>(null);
  useHeightAs("--bench-head", head);
  const preview = `/courses/${draft.id}/preview?lesson=${lesson?.id ?? ""}`;
  return (
    <header className={classes.head} ref={head}>
      <div className={classes.names}>
        <Link to={`/courses/${draft.id}`} className={classes.course}>
          {draft.title}
        </Link>
        <div className={classes.titleRow}>
          <Heading>{lesson?.title ?? draft.title}</Heading>
          <Pill>{t("lessonDrafts.draftOf", { number: draft.nextNumber })}</Pill>
        </div>
      </div>
      <div className={classes.tools}>
        {sync && <SavedLine sync={sync} />}
        <span className={classes.people}>
          {draft.present.slice(0, 4).map(({ id, name }) => (
            <Tooltip key={id} label={name}>
              <span className={classes.person} role="img" aria-label={t("lessonDrafts.contents.here", { name })}>
                {initials(name)}
              </span>
            </Tooltip>
          ))}
        </span>
        {isNarrow && (
          <>
            <Button
              variant="default"
              leftSection={<IconListTree size={18} stroke={1.7} />}
              onClick={() => onPanel("contents")}
            >
              {t("lessonDrafts.contents.title")}
            </Button>
            <ActionIcon
              variant="default"
              size={36}
              aria-label={t("lessonDrafts.settings.title")}
              onClick={() => onPanel("settings")}
            >
              <IconAdjustments size={19} stroke={1.7} />
            </ActionIcon>
          </>
        )}
        {editor && <History editor={editor} />}
        {comments !== null && (
          <Button
            variant="default"
            aria-pressed={isCommenting}
            leftSection={<IconMessage size={18} stroke={1.7} />}
            onClick={onComments}
          >
            {comments > 0 ? t("lessonComments.titleOf", { count: comments }) : t("lessonComments.title")}
          </Button>
        )}
        <Button
          component={Link}
          to={`/courses/${draft.id}/versions`}
          variant="default"
          leftSection={<IconHistory size={18} stroke={1.7} />}
        >
          {t("lessonVersions.open")}
        </Button>
        <TransferMenu draft={draft} flush={async () => sync?.flush()} onOpen={onOpen} />
        <Button
          component={Link}
          to={preview}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            const sent = sync ? sync.flush() : Promise.resolve();
            void sent.then(() => navigate(preview)).catch((error: unknown) => toast.failed(error));
          }}
          variant="default"
          leftSection={<IconEye size={18} stroke={1.7} />}
        >
          {t("lessonDrafts.preview.action")}
        </Button>
        <Button onClick={onPublish}>{t("lessonDrafts.publish.action", { number: draft.nextNumber })}</Button>
      </div>
      {draft.liveNumber !== null && draft.inProgress > 0 && (
        <p className={classes.live}>
          {t("lessonDrafts.stillSee", { count: draft.inProgress, number: draft.liveNumber })}
        </p>
      )}
    </header>
  );
}

function SavedLine({ sync }: { sync: LessonSync }) {
  const { t } = useTranslation();
  const { phase, savedAt, error } = sync.state.use();
  if (phase === "refused")
    return (
      <p className={classes.saved} role="alert" data-bad>
        {t("lessonDrafts.sync.refused", { reason: messageOf(error) })}
      </p>
    );
  const text =
    phase === "saved" && savedAt
      ? t("lessonDrafts.sync.savedAt", { time: formatTime(savedAt.toISOString()) })
      : t(`lessonDrafts.sync.${phase}`);
  return (
    <p className={classes.saved} role="status" data-phase={phase}>
      {text}
    </p>
  );
}

function History({ editor }: { editor: Editor }) {
  const { t } = useTranslation();
  const can = useEditorState({
    editor,
    selector: ({ editor: current }) => ({ undo: current.can().undo(), redo: current.can().redo() }),
  });
  return (
    <>
      <ActionIcon
        variant="default"
        size={36}
        disabled={!can.undo}
        aria-label={t("lessonDrafts.undo")}
        title={`${t("lessonDrafts.undo")} (${t("lessonDrafts.keys.undo")})`}
        onClick={() => editor.chain().focus().undo().run()}
      >
        <IconArrowBackUp size={19} stroke={1.7} />
      </ActionIcon>
      <ActionIcon
        variant="default"
        size={36}
        disabled={!can.redo}
        aria-label={t("lessonDrafts.redo")}
        title={`${t("lessonDrafts.redo")} (${t("lessonDrafts.keys.redo")})`}
        onClick={() => editor.chain().focus().redo().run()}
      >
        <IconArrowForwardUp size={19} stroke={1.7} />
      </ActionIcon>
    </>
  );
}

/** Keeps the height of an element in a property of its parent: what sticks below it starts there. */
function useHeightAs(property: string, of: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const element = of.current;
    if (!element) return;
    const observer = new ResizeObserver(() =>
      element.parentElement?.style.setProperty(property, `${element.offsetHeight}px`),
    );
    observer.observe(element, { box: "border-box" });
    return () => observer.disconnect();
  }, [property, of]);
}
