import { Button, Radio, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call, useApiMutation } from "#web/core/api/api.ts";
import { Dialog } from "#web/core/dialog/Dialog.tsx";
import { DialogFooter } from "#web/core/dialog/DialogFooter.tsx";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { FileDrop } from "#web/core/upload/FileDrop.tsx";
import { dismissUpload } from "#web/core/upload/uploadActions.ts";
import { useUploads } from "#web/core/upload/uploads.ts";
import { documentOf, importDestination, importSlot } from "#web/lessons/author/transfer/lessonImportUpload.ts";
import classes from "#web/lessons/author/transfer/transfer.module.css";
import { purposes } from "#shared/files/files.ts";
import type { CourseDraft } from "#shared/lessons/drafts.ts";
import { type ImportPlan, transfer } from "#shared/lessons/transfer/transfer.ts";

type Props = { draft: CourseDraft; opened: boolean; onClose: () => void; onOpen: (lessonId: string) => void };

/** Lessons from a document: what they would be, and what is left out, before they are added. */
export function ImportDialog({ draft, opened, onClose, onOpen }: Props) {
  const { t } = useTranslation();
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t("lessonDrafts.import.title")}
      size={560}
      closeOnClickOutside={false}
    >
      {opened && <Steps draft={draft} onClose={onClose} onOpen={onOpen} />}
    </Dialog>
  );
}

function Steps({ draft, onClose, onOpen }: Omit<Props, "opened">) {
  const { t } = useTranslation();
  const uploads = useUploads({ slot: importSlot(draft.id) });
  const done = uploads.findLast(({ phase }) => phase === "done");
  const forget = () => uploads.forEach(({ id, phase }) => phase === "done" && dismissUpload(id));
  return (
    <>
      <p className={classes.line}>{t("lessonDrafts.import.lead")}</p>
      {done ? (
        <Preview
          key={done.id}
          courseId={draft.id}
          document={documentOf(done)}
          onOther={forget}
          onDone={(lessonId) => {
            forget();
            onClose();
            if (lessonId) onOpen(lessonId);
          }}
        />
      ) : (
        <FileDrop
          destination={importDestination(draft.id)}
          label={t("lessonDrafts.import.drop")}
          hint={t("lessonDrafts.import.hint")}
          accept={[".docx", ".md", ".markdown", ".html", ".htm", ".txt", ".zip"]}
          maxBytes={purposes.import.maxBytes}
          finishing={t("lessonDrafts.import.finishing")}
        />
      )}
    </>
  );
}

type PreviewProps = {
  courseId: string;
  document: { path: string; name: string };
  onOther: () => void;
  onDone: (lessonId: string | undefined) => void;
};
function Preview({ courseId, document, onOther, onDone }: PreviewProps) {
  const { t } = useTranslation();
  const [level, setLevel] = useState<"1" | "2">("1");
  const params = { id: courseId };
  const body = { ...document, level };
  const plan = useQuery({
    queryKey: ["lessonImportPlan", courseId, body],
    queryFn: ({ signal }) => call(transfer.importPlan, { params, body }, signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const add = useApiMutation(transfer.import);
  const run = async () => {
    const { lessons } = await add.mutateAsync({ params, body });
    toast.done(t("lessonDrafts.import.done", { count: lessons.length }));
    onDone(lessons[0]);
  };
  return (
    <>
      <p className={classes.file}>{document.name}</p>
      <Radio.Group
        label={t("lessonDrafts.import.level")}
        value={level}
        onChange={(value) => setLevel(value as "1" | "2")}
      >
        <Stack gap="xs" mt={6}>
          {(["1", "2"] as const).map((one) => (
            <Radio key={one} value={one} label={t(`lessonDrafts.import.levels.${one}`)} />
          ))}
        </Stack>
      </Radio.Group>
      <div className={classes.contents} aria-live="polite">
        {plan.error && <ErrorPanel error={plan.error} onRetry={() => void plan.refetch()} />}
        {plan.isPending && <p className={classes.line}>{t("lessonDrafts.import.reading")}</p>}
        {plan.data && <Found plan={plan.data} />}
      </div>
      <DialogFooter>
        <Button variant="default" onClick={onOther}>
          {t("lessonDrafts.import.other")}
        </Button>
        <Button disabled={!plan.data} loading={add.isPending} onClick={() => void run().catch(() => {})}>
          {t("lessonDrafts.import.add", { count: plan.data?.lessons ?? 0 })}
        </Button>
      </DialogFooter>
    </>
  );
}

function Found({ plan }: { plan: ImportPlan }) {
  const { t } = useTranslation();
  const { modules, lessons, blocks, pictures, leftBehind } = plan;
  return (
    <>
      <p className={classes.line}>
        {t("lessonDrafts.import.summary", {
          lessons: t("lessonDrafts.contents.lessons", { count: lessons }),
          blocks: t("lessonDrafts.import.blocks", { count: blocks }),
          pictures: t("lessonDrafts.import.pictures", { count: pictures }),
        })}
      </p>
      <div className={classes.found} role="region" aria-label={t("lessonDrafts.contents.title")} tabIndex={0}>
        {modules.map((module, at) => (
          <section key={at}>
            {module.title && <h3 className={classes.heading}>{module.title}</h3>}
            <ol className={classes.list}>
              {module.lessons.map(({ title, blocks: count }, n) => (
                <li key={n}>
                  {t("lessonDrafts.import.lesson", { title, blocks: t("lessonDrafts.import.blocks", { count }) })}
                </li>
              ))}
            </ol>
          </section>
        ))}
      </div>
      {leftBehind.length > 0 && (
        <>
          <h3 className={classes.heading}>{t("lessonDrafts.import.leftBehind")}</h3>
          <ul className={classes.list}>
            {leftBehind.map(({ kind, count }) => (
              <li key={kind}>{t(`lessonDrafts.import.left.${kind}`, { count })}</li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
