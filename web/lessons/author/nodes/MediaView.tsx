import { Button } from "@mantine/core";
import { IconFileText, IconPlus } from "@tabler/icons-react";
import { NodeViewContent, type NodeViewProps, NodeViewWrapper } from "@tiptap/react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { formatBytes } from "#web/core/format/format.ts";
import { FileDrop } from "#web/core/upload/FileDrop.tsx";
import { dismissUpload } from "#web/core/upload/uploadActions.ts";
import { useUploads } from "#web/core/upload/uploads.ts";
import { useAuthor } from "#web/lessons/author/authorContext.ts";
import { rememberUrl, useFileUrl } from "#web/lessons/author/fileUrls.ts";
import { fileOf, mediaDestination, mediaSlot } from "#web/lessons/author/lessonUpload.ts";
import { addChild, placeOf } from "#web/lessons/author/nodes/children.ts";
import classes from "#web/lessons/author/nodes/media.module.css";
import { IMAGE_TYPES, purposes } from "#shared/files/files.ts";

export type MediaName = "image" | "video" | "audio" | "file";
type StoredFile = { fileId: string; name: string; type: string; bytes: number };

export const ACCEPTED: Record<MediaName, string[]> = {
  image: IMAGE_TYPES.flatMap((type) => (type === "image/jpeg" ? [".jpg", ".jpeg"] : [`.${type.slice(6)}`])),
  video: [".mp4", ".webm"],
  audio: [".mp3", ".m4a", ".ogg", ".wav"],
  file: [],
};

/** A picture, video, recording or download: its upload while there is no file, afterwards as learners see it. */
export function MediaView({ node, editor, getPos, updateAttributes }: NodeViewProps) {
  const { t } = useTranslation();
  const { draft, lessonId } = useAuthor();
  const name = node.type.name as MediaName;
  const file = node.attrs["file"] as StoredFile | null;
  const slot = mediaSlot(String(node.attrs["id"]));
  const uploads = useUploads({ slot });
  const done = uploads.find(({ phase }) => phase === "done");
  useEffect(() => {
    if (!done) return;
    const { url, ...stored } = fileOf(done);
    rememberUrl({ url, ...stored });
    dismissUpload(done.id);
    updateAttributes({ file: stored, ...(name === "file" && !node.attrs["title"] && { title: stored.name }) });
  });
  return (
    <NodeViewWrapper className={classes.media} data-kind={name} data-width={node.attrs["width"]}>
      <div contentEditable={false}>
        {file ? (
          <Shown file={file} name={name} attributes={node.attrs} />
        ) : (
          <FileDrop
            destination={mediaDestination(slot, { courseId: draft.id, lessonId })}
            label={t(`lessonDrafts.media.choose.${name}`)}
            hint={t(`lessonDrafts.media.hint.${name}`)}
            accept={ACCEPTED[name]}
            maxBytes={purposes.lesson.maxBytes}
          />
        )}
      </div>
      {name !== "file" && <NodeViewContent className={name === "image" ? classes.caption : classes.transcript} />}
      {file && (name === "video" || name === "audio") && node.childCount === 0 && editor.isEditable && (
        <Button
          contentEditable={false}
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={16} stroke={1.8} />}
          onClick={() => {
            const pos = placeOf(getPos);
            if (pos !== null) addChild(editor, pos, node, { type: "richText" });
          }}
        >
          {t("lessonDrafts.media.addTranscript")}
        </Button>
      )}
    </NodeViewWrapper>
  );
}

type ShownProps = { file: StoredFile; name: MediaName; attributes: Record<string, unknown> };
function Shown({ file, name, attributes }: ShownProps) {
  const { t } = useTranslation();
  const { draft } = useAuthor();
  const url = useFileUrl(draft.id, file.fileId);
  const title = String(attributes["title"] ?? "") || file.name;
  if (url === undefined)
    return <p className={classes.missing}>{t("lessonDrafts.media.missing", { name: file.name })}</p>;
  if (name === "file")
    return (
      <span className={classes.file}>
        <IconFileText size={24} stroke={1.5} aria-hidden />
        <span>
          <span className={classes.title}>{title}</span>
          <span className={classes.facts}>{formatBytes(file.bytes)}</span>
        </span>
      </span>
    );
  if (url === null) return <div className={classes.waiting} />;
  if (name === "image") {
    const { alt, isDecorative } = attributes as { alt: string; isDecorative: boolean };
    return (
      <>
        <img src={url} alt={alt} draggable={false} />
        {!alt && !isDecorative && <p className={classes.ask}>{t("lessonDrafts.media.noAlt")}</p>}
      </>
    );
  }
  return (
    <>
      {attributes["title"] ? <p className={classes.title}>{title}</p> : null}
      {name === "video" ? (
        <video src={url} controls preload="metadata" />
      ) : (
        <audio src={url} controls preload="metadata" />
      )}
      {name === "video" && (attributes["captions"] as unknown[]).length === 0 && (
        <p className={classes.ask}>{t("lessonDrafts.media.noCaptions")}</p>
      )}
    </>
  );
}
