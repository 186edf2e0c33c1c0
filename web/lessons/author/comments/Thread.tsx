import { Button } from "@mantine/core";
import { IconCheck, IconRotate } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { formatDateTime } from "#web/core/format/format.ts";
import { newId } from "#web/core/random.ts";
import { CommentForm } from "#web/lessons/author/comments/CommentForm.tsx";
import classes from "#web/lessons/author/comments/comments.module.css";
import {
  type Colleague,
  type CommentThread,
  type LessonComment,
  lessonComments,
  readMentions,
} from "#shared/lessons/comments/comments.ts";

type Props = {
  lessonId: string;
  thread: CommentThread;
  people: Colleague[];
  mentioned: Record<string, string>;
  /** `removed`: the block is no longer there. */
  place: "lesson" | "block" | "removed";
  isCurrent: boolean;
  onShow: () => void;
};

/** A comment on a block or the lesson with its answers. */
export function Thread({ lessonId, thread, people, mentioned, place, isCurrent, onShow }: Props) {
  const { t } = useTranslation();
  const [isAnswering, setAnswering] = useState(false);
  const add = useApiMutation(lessonComments.add);
  const resolve = useApiMutation(lessonComments.resolve);
  const { id, about, comments, resolvedAt, resolvedBy } = thread;
  const isResolved = resolvedAt !== null;
  const label = about || t("lessonComments.thisBlock");
  return (
    <li className={classes.thread} data-current={isCurrent || undefined} data-thread={id}>
      {place === "block" && (
        <button type="button" className={classes.about} onClick={onShow}>
          <span className="ly-hidden">{t("lessonComments.show")} </span>
          {label}
        </button>
      )}
      {place === "removed" && (
        <p className={classes.gone}>
          {t("lessonComments.removedBlock")} <q>{label}</q>
        </p>
      )}
      {place === "lesson" && <p className={classes.gone}>{t("lessonComments.wholeLesson")}</p>}
      <ol className={classes.comments}>
        {comments.map((comment) => (
          <Comment key={comment.id} comment={comment} people={people} mentioned={mentioned} />
        ))}
      </ol>
      {isResolved && (
        <p className={classes.resolved}>
          <IconCheck size={16} stroke={1.8} aria-hidden />
          {resolvedBy ? t("lessonComments.resolvedBy", { name: resolvedBy }) : t("lessonComments.resolved")}
        </p>
      )}
      {isAnswering ? (
        <CommentForm
          label={t("lessonComments.answerLabel")}
          submitLabel={t("lessonComments.answer")}
          people={people}
          onSubmit={async (text) => {
            await add.mutateAsync({ params: { id: lessonId }, body: { id: newId(), threadId: id, text } });
            setAnswering(false);
          }}
          onCancel={() => setAnswering(false)}
        />
      ) : (
        <div className={classes.buttons}>
          <Button variant="default" size="xs" onClick={() => setAnswering(true)}>
            {t("lessonComments.answer")}
          </Button>
          <Button
            variant="subtle"
            size="xs"
            loading={resolve.isPending}
            leftSection={
              isResolved ? <IconRotate size={16} stroke={1.7} /> : <IconCheck size={16} stroke={1.8} aria-hidden />
            }
            onClick={() => resolve.mutate({ params: { id }, body: { isResolved: !isResolved } })}
          >
            {t(isResolved ? "lessonComments.reopen" : "lessonComments.resolve")}
          </Button>
        </div>
      )}
    </li>
  );
}

type CommentProps = { comment: LessonComment } & Pick<Props, "people" | "mentioned">;
function Comment({ comment, people, mentioned }: CommentProps) {
  const { t } = useTranslation();
  const [isEditing, setEditing] = useState(false);
  const edit = useApiMutation(lessonComments.edit);
  const remove = useApiMutation(lessonComments.remove, { quiet: true });
  const { id, text, author, isOwn, createdAt, editedAt } = comment;
  const erased = t("lessonComments.erasedAuthor");
  return (
    <li>
      <p className={classes.meta}>
        <strong>{author ?? erased}</strong> {formatDateTime(createdAt)}
        {editedAt && `, ${t("lessonComments.edited")}`}
      </p>
      {isEditing ? (
        <CommentForm
          label={t("lessonComments.editLabel")}
          submitLabel={t("lessonComments.save")}
          people={people}
          mentioned={mentioned}
          initial={text}
          onSubmit={async (changed) => {
            await edit.mutateAsync({ params: { id }, body: { text: changed } });
            setEditing(false);
          }}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <p className={text === "" ? classes.gone : classes.text}>
          {text === "" && t("lessonComments.noWords")}
          {readMentions(text).map((part, n) =>
            part.userId === null ? (
              part.text
            ) : (
              <strong key={`${n} ${part.userId}`} className={classes.mention}>
                @{mentioned[part.userId] ?? erased}
              </strong>
            ),
          )}
        </p>
      )}
      {isOwn && text !== "" && !isEditing && (
        <p className={classes.own}>
          <button type="button" onClick={() => setEditing(true)}>
            {t("lessonComments.edit")}
          </button>
          <button
            type="button"
            onClick={() =>
              confirm({
                title: t("lessonComments.removeTitle"),
                confirmLabel: t("lessonComments.remove"),
                cancelLabel: t("lessonComments.keep"),
                danger: true,
                onConfirm: () => remove.mutateAsync({ params: { id } }),
              })
            }
          >
            {t("lessonComments.remove")}
          </button>
        </p>
      )}
    </li>
  );
}
