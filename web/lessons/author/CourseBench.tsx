import { Drawer } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import type { Editor } from "@tiptap/core";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useIsPhone } from "#web/core/display/useIsPhone.ts";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";
import { useAuthor } from "#web/lessons/author/authorContext.ts";
import classes from "#web/lessons/author/bench.module.css";
import { BenchHead, type Panel } from "#web/lessons/author/BenchHead.tsx";
import { showComments } from "#web/lessons/author/comments/commentCounts.ts";
import { CommentsPanel } from "#web/lessons/author/comments/CommentsPanel.tsx";
import { useLessonComments } from "#web/lessons/author/comments/useLessonComments.ts";
import { Contents } from "#web/lessons/author/contents/Contents.tsx";
import { selectBlock } from "#web/lessons/author/editing/blockCommands.ts";
import { needsSettings, showProblem } from "#web/lessons/author/editing/showProblem.ts";
import { LessonEditor } from "#web/lessons/author/editing/LessonEditor.tsx";
import { PackagePane } from "#web/lessons/author/packages/PackagePane.tsx";
import { PublishDialog } from "#web/lessons/author/publish/PublishDialog.tsx";
import { Aside, type AsidePart } from "#web/lessons/author/settings/Aside.tsx";
import { LessonSettings } from "#web/lessons/author/settings/LessonSettings.tsx";
import { Problems } from "#web/lessons/author/settings/Problems.tsx";
import { useLessonFacts } from "#web/lessons/author/settings/useLessonFacts.ts";
import { type LessonSync, openLesson } from "#web/lessons/author/sync/lessonSync.ts";
import { useUnclear } from "#web/lessons/author/unclear/useUnclear.ts";
import type { CourseDraft, DraftProblem } from "#shared/lessons/drafts.ts";
import type { DraftLesson } from "#shared/lessons/outline.ts";

type Props = {
  draft: CourseDraft;
  /** Null while the course has no lesson. */
  lesson: DraftLesson | null;
  userId: string;
  onOpen: (lessonId: string) => void;
  /** The thread of comments that is shown first. */
  thread: string | null;
  /** The block that a list of what is unclear leads to. */
  block: string | null;
};

/** Contents, page and settings side by side; on narrow screens the first and the last open over the page. */
export function CourseBench({ draft, lesson, userId, onOpen, thread, block }: Props) {
  const { t } = useTranslation();
  const { variables } = useAuthor();
  const isPhone = useIsPhone();
  const isNarrow = useMediaQuery("(max-width: 68.74em)", undefined, { getInitialValueInEffect: false }) === true;
  const packageId = lesson?.packageId;
  const sync = useLesson(packageId === undefined ? (lesson?.id ?? null) : null, userId);
  const [editor, setEditor] = useState<Editor | null>(null);
  const [part, setPart] = useState<AsidePart>("block");
  const comments = useLessonComments(packageId === undefined ? (lesson?.id ?? null) : null, editor);
  const unclear = useUnclear(draft.id, packageId === undefined ? (lesson?.id ?? null) : null, editor);
  const isWanted = thread !== null || block !== null;
  const [isCommenting, setCommenting] = useState(isWanted);
  const [isPublishing, setPublishing] = useState(false);
  const [panel, setPanel] = useState<Panel>(null);
  const [wanted, setWanted] = useState<DraftProblem | null>(null);
  const keys = useMemo(() => variables.map(({ key }) => key), [variables]);
  const facts = useLessonFacts(editor, lesson?.id ?? "", draft.language, keys, lesson?.quiz);
  const latest = lesson ? draft.updates[lesson.id] : undefined;
  useEffect(() => {
    if (latest !== undefined) sync?.follow(latest);
  }, [sync, latest]);
  useEffect(() => {
    if (editor && wanted?.blockId && showProblem(editor, wanted.blockId, wanted)) setWanted(null);
  }, [editor, wanted]);

  useEffect(() => {
    if (!isWanted) return;
    setCommenting(true);
    if (isNarrow) setPanel("comments");
  }, [isWanted, isNarrow]);
  useEffect(() => {
    if (editor && block !== null) selectBlock(editor, block);
  }, [editor, block]);
  const toggleComments = () => {
    if (isNarrow) setPanel("comments");
    else setCommenting((is) => !is);
  };
  useEffect(() => {
    showComments.set(() => (isNarrow ? setPanel("comments") : setCommenting(true)));
    return () => showComments.set(null);
  }, [isNarrow]);

  const openProblem = (problem: DraftProblem) => {
    const { lessonId, blockId } = problem;
    setPanel(null);
    setCommenting(false);
    if (lessonId !== lesson?.id) onOpen(lessonId);
    // What is wrong with a whole quiz is changed in the settings of the lesson.
    setPart(blockId ? "block" : "lesson");
    if (blockId) setWanted(problem);
    if (isNarrow && needsSettings(problem)) setPanel("settings");
  };
  const contents = (
    <Contents
      draft={draft}
      lessonId={lesson?.id ?? ""}
      facts={facts}
      onOpen={(id) => {
        setPanel(null);
        onOpen(id);
      }}
    />
  );
  const problems = facts?.problems ?? [];
  const settings = lesson && (
    <LessonSettings key={lesson.id} draft={draft} lesson={lesson} facts={facts} editor={editor} />
  );
  const aside = lesson && (
    <Aside
      isPackage={packageId !== undefined}
      editor={editor}
      problems={problems.length}
      part={part}
      onPart={setPart}
      lesson={settings}
      checks={<Problems problems={problems} onOpen={openProblem} />}
    />
  );
  const commentsPanel = lesson && packageId === undefined && (
    <CommentsPanel
      key={lesson.id}
      lessonId={lesson.id}
      editor={editor}
      comments={comments}
      wanted={thread}
      courseId={draft.id}
      unclear={unclear}
      onShow={() => setPanel(null)}
    />
  );
  const panels = { contents, settings: aside, comments: commentsPanel };
  return (
    <div className={classes.bench}>
      <BenchHead
        draft={draft}
        lesson={lesson}
        sync={sync}
        editor={editor}
        isNarrow={isNarrow}
        onPanel={setPanel}
        onPublish={() => setPublishing(true)}
        onOpen={onOpen}
        comments={packageId === undefined && lesson ? comments.open : null}
        isCommenting={isNarrow ? panel === "comments" : isCommenting}
        onComments={toggleComments}
      />
      <div className={classes.columns}>
        {!isNarrow && <div className={classes.contents}>{contents}</div>}
        <div className={classes.ground}>
          {lesson && packageId !== undefined && <PackagePane draft={draft} lesson={{ ...lesson, packageId }} />}
          {lesson && sync && (
            <Loaded key={sync.lessonId} sync={sync} title={lesson.title} isSimple={isPhone} onEditor={setEditor} />
          )}
          {!lesson && <p className={classes.none}>{t("lessonDrafts.noLesson")}</p>}
        </div>
        {!isNarrow && <div className={classes.settings}>{isCommenting && commentsPanel ? commentsPanel : aside}</div>}
      </div>
      {isNarrow && (
        <Drawer
          opened={panel !== null}
          onClose={() => setPanel(null)}
          position={panel === "contents" ? "left" : "right"}
          size={panel === "comments" ? 380 : 320}
          title={panel === "settings" ? t("lessonDrafts.settings.title") : draft.title}
          closeButtonProps={{ "aria-label": t("lessonDrafts.close") }}
        >
          {panel && panels[panel]}
        </Drawer>
      )}
      <PublishDialog
        flush={async () => sync?.flush()}
        draft={draft}
        opened={isPublishing}
        onClose={() => setPublishing(false)}
        onOpen={openProblem}
      />
    </div>
  );
}

type LoadedProps = { sync: LessonSync; title: string; isSimple: boolean; onEditor: (editor: Editor | null) => void };
function Loaded({ sync, title, isSimple, onEditor }: LoadedProps) {
  const isReady = sync.isReady.use();
  if (!isReady) return <PageSkeleton />;
  return <LessonEditor sync={sync} title={title} isSimple={isSimple} onEditor={onEditor} />;
}

/** The document of the open lesson, closed when another one is opened. */
function useLesson(lessonId: string | null, userId: string) {
  const [sync, setSync] = useState<LessonSync | null>(null);
  useEffect(() => {
    if (!lessonId) return setSync(null);
    const opened = openLesson(lessonId, userId);
    setSync(opened);
    return () => opened.close();
  }, [lessonId, userId]);
  return sync?.lessonId === lessonId ? sync : null;
}
