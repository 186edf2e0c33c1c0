import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { call, useApiMutation } from "#web/core/api/api.ts";
import { Dialog } from "#web/core/dialog/Dialog.tsx";
import { DialogFooter } from "#web/core/dialog/DialogFooter.tsx";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { Problems } from "#web/lessons/author/settings/Problems.tsx";
import classes from "#web/lessons/author/publish/publish.module.css";
import { type CourseDraft, type DraftProblem, type DraftReview, drafts } from "#shared/lessons/drafts.ts";
import { lessonsOf } from "#shared/lessons/outline.ts";

type Props = {
  /** Sends what is not stored yet; rejects if that fails. */
  flush: () => Promise<void>;
  draft: CourseDraft;
  opened: boolean;
  onClose: () => void;
  onOpen: (problem: DraftProblem) => void;
};

/** What publishing changes and for whom, and what is missing before. */
export function PublishDialog({ flush, draft, opened, onClose, onOpen }: Props) {
  const { t } = useTranslation();
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t("lessonDrafts.publish.title", { number: draft.nextNumber })}
      size={560}
    >
      {opened && <Review flush={flush} draft={draft} onClose={onClose} onOpen={onOpen} />}
    </Dialog>
  );
}

function Review({ flush, draft, onClose, onOpen }: Omit<Props, "opened">) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [isDone, setDone] = useState(false);
  const publish = useApiMutation(drafts.publish);
  const review = useQuery({
    queryKey: ["lessonDraftReview", draft.id],
    queryFn: async ({ signal }) => {
      await flush();
      return call(drafts.review, { params: { id: draft.id } }, signal);
    },
    gcTime: 0,
    staleTime: 0,
  });
  if (review.error) return <ErrorPanel error={review.error} onRetry={() => void review.refetch()} />;
  if (!review.data || isDone) return <p className={classes.waiting}>{t("lessonDrafts.publish.checking")}</p>;
  const { problems } = review.data;
  const stopping = problems.filter(({ blocks }) => blocks).length;
  const titles = new Map(lessonsOf(draft).map(({ id, title }) => [id, title]));
  const run = async () => {
    try {
      await flush();
    } catch (error) {
      return toast.failed(error);
    }
    const { number } = await publish.mutateAsync({ params: { id: draft.id } });
    setDone(true);
    toast.done(t("lessonDrafts.publish.done", { number }), {
      action: { label: t("lessonDrafts.publish.toCourse"), run: () => void navigate(`/courses/${draft.id}`) },
    });
    onClose();
  };
  return (
    <>
      <Changes review={review.data} liveNumber={draft.liveNumber} />
      <p className={classes.line}>
        {draft.inProgress > 0
          ? t("lessonDrafts.publish.stay", { count: draft.inProgress, number: draft.liveNumber })
          : t("lessonDrafts.publish.nobody")}
      </p>
      <h3 className={classes.heading}>{t("lessonDrafts.settings.beforePublish")}</h3>
      <div className={classes.problems}>
        <Problems
          problems={problems}
          titleOf={(id) => titles.get(id)}
          onOpen={(problem) => {
            onClose();
            onOpen(problem);
          }}
        />
      </div>
      {stopping > 0 && (
        <p className={classes.line} role="alert">
          {t("lessonDrafts.publish.stopped", { count: stopping })}
        </p>
      )}
      <DialogFooter>
        <Button variant="default" onClick={onClose}>
          {t("lessonDrafts.publish.keep")}
        </Button>
        <Button disabled={stopping > 0} loading={publish.isPending} onClick={() => void run().catch(() => {})}>
          {t("lessonDrafts.publish.action", { number: draft.nextNumber })}
        </Button>
      </DialogFooter>
    </>
  );
}

function Changes({ review, liveNumber }: { review: DraftReview; liveNumber: number | null }) {
  const { t } = useTranslation();
  if (liveNumber === null)
    return <p className={classes.line}>{t("lessonDrafts.publish.first", { count: review.added.length })}</p>;
  const kinds = (["added", "changed", "removed"] as const).filter((kind) => review[kind].length > 0);
  if (kinds.length === 0)
    return <p className={classes.line}>{t("lessonDrafts.publish.same", { number: liveNumber })}</p>;
  return (
    <dl className={classes.changes}>
      {kinds.map((kind) => (
        <div key={kind}>
          <dt>{t(`lessonDrafts.publish.${kind}`)}</dt>
          {review[kind].map(({ id, title }) => (
            <dd key={id}>{title}</dd>
          ))}
        </div>
      ))}
      {review.unchanged > 0 && (
        <div>
          <dt>{t("lessonDrafts.publish.unchanged")}</dt>
          <dd>{t("lessonDrafts.contents.lessons", { count: review.unchanged })}</dd>
        </div>
      )}
    </dl>
  );
}
