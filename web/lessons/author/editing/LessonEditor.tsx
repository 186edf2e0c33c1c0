import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import type { Editor } from "@tiptap/core";
import Collaboration from "@tiptap/extension-collaboration";
import { Dropcursor } from "@tiptap/extensions";
import { EditorContent, useEditor } from "@tiptap/react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { createStore } from "#web/core/store.ts";
import { toast } from "#web/core/toast/toast.ts";
import { addUploads } from "#web/core/upload/uploadRuns.ts";
import { type Author, useAuthor } from "#web/lessons/author/authorContext.ts";
import { insertBlock, selectedBlock } from "#web/lessons/author/editing/blockCommands.ts";
import { BlockFrame } from "#web/lessons/author/editing/BlockFrame.tsx";
import { BlockMenu } from "#web/lessons/author/editing/BlockMenu.tsx";
import { cleanPaste } from "#web/lessons/author/editing/cleanPaste.ts";
import { LessonDecorations } from "#web/lessons/author/editing/decorations.ts";
import { FreshIds } from "#web/lessons/author/editing/freshIds.ts";
import { isWholeBlock, leave, LessonKeys } from "#web/lessons/author/editing/keys.ts";
import { labelsOf } from "#web/lessons/author/editing/labels.ts";
import classes from "#web/lessons/author/editing/lesson.module.css";
import { SlashTrigger } from "#web/lessons/author/editing/slash.ts";
import { TextToolbar } from "#web/lessons/author/editing/TextToolbar.tsx";
import { mediaDestination, mediaSlot } from "#web/lessons/author/lessonUpload.ts";
import { itemNodes } from "#web/lessons/author/nodes/itemNodes.ts";
import { tableNodes } from "#web/lessons/author/nodes/tableNodes.ts";
import { textNodes } from "#web/lessons/author/nodes/textNodes.ts";
import type { LessonSync } from "#web/lessons/author/sync/lessonSync.ts";
import { IMAGE_TYPES, purposes } from "#shared/files/files.ts";

type Props = {
  sync: LessonSync;
  title: string;
  /** On a phone: texts can be corrected, blocks cannot be added or moved. */
  isSimple: boolean;
  onEditor: (editor: Editor | null) => void;
};

/** What the callbacks of the editor need, which are given to it once. */
type Now = { author: Author; editor: Editor | null };

/** The page of a lesson, as learners see it, to write in. */
export function LessonEditor({ sync, title, isSimple, onEditor }: Props) {
  const { t } = useTranslation();
  const author = useAuthor();
  const page = useRef<HTMLDivElement>(null);
  const [now] = useState(() => createStore<Now>({ author, editor: null }));
  const editor = useEditor({
    extensions: [
      ...textNodes,
      ...tableNodes,
      ...itemNodes,
      Collaboration.configure({ document: sync.doc, field: "lesson" }),
      FreshIds,
      LessonKeys,
      LessonDecorations.configure({ names: () => labelsOf(now.get().editor, now.get().author.variables) }),
      Dropcursor.configure({ width: 3, color: "var(--mantine-primary-color-filled)" }),
      ...(isSimple ? [] : [SlashTrigger]),
    ],
    editorProps: {
      attributes: {
        role: "textbox",
        "aria-multiline": "true",
        "aria-label": t("lessonDrafts.page", { title }),
        lang: author.draft.language,
        class: classes.text ?? "",
      },
      transformPastedHTML: (html) => {
        const { html: clean, hasImages, isCut } = cleanPaste(html);
        if (hasImages) toast.failed(t("lessonDrafts.paste.images"));
        if (isCut) toast.failed(t("lessonDrafts.paste.cut"));
        return clean;
      },
      // Typing on a selected block would replace it.
      handleTextInput: (view, _from, to, typed) => {
        const { editor: current } = now.get();
        if (!current || view.composing || !isWholeBlock(current)) return false;
        return leave(current, to) && current.commands.insertContent(typed);
      },
      handlePaste: (_view, event) => pasteImages(event.clipboardData?.files),
      handleDrop: (_view, event) => pasteImages((event as DragEvent).dataTransfer?.files),
    },
  });
  useEffect(() => now.set({ author, editor }), [now, author, editor]);
  useEffect(() => {
    onEditor(editor);
    return () => onEditor(null);
  }, [editor, onEditor]);

  /** Uploads pictures of the clipboard into blocks of their own. */
  function pasteImages(files: FileList | undefined) {
    const images = [...(files ?? [])].filter(({ type }) => IMAGE_TYPES.includes(type));
    const { editor: current } = now.get();
    if (images.length === 0 || !current) return false;
    for (const image of images) {
      if (image.size > purposes.lesson.maxBytes) continue;
      insertBlock(current, "image");
      const block = selectedBlock(current.state);
      const target = { courseId: now.get().author.draft.id, lessonId: sync.lessonId };
      if (block?.node.type.name === "image")
        addUploads(mediaDestination(mediaSlot(String(block.node.attrs["id"])), target), [image]);
    }
    return true;
  }

  const addAtEnd = () => {
    const { doc } = editor.state;
    const last = doc.lastChild;
    const isEmpty = last?.type.name === "paragraph" && last.content.size === 0;
    const chain = editor.chain();
    if (!isEmpty) chain.insertContentAt(doc.content.size, { type: "paragraph" });
    chain.focus("end").insertContent("/").run();
  };
  return (
    <div className={classes.page} ref={page}>
      <EditorContent editor={editor} />
      {!isSimple && (
        <>
          <BlockFrame editor={editor} page={page} />
          <Button
            variant="subtle"
            color="gray"
            className={classes.add}
            leftSection={<IconPlus size={17} stroke={1.8} />}
            onClick={addAtEnd}
          >
            {t("lessonDrafts.addBlock")}
          </Button>
          <BlockMenu editor={editor} />
        </>
      )}
      <TextToolbar editor={editor} />
    </div>
  );
}
