import { Loader, Radio, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { toast } from "#web/core/toast/toast.ts";
import classes from "#web/paths/paths.module.css";
import { reasonOf } from "#web/paths/stepText.ts";
import { type PathDetail, paths, type PublishPreview } from "#shared/paths/paths.ts";

type People = "keep" | "move";

/** Publishes the draft. People on the path stay on their version, or move after a preview. */
export function PublishDialog({ path, onClose }: { path: PathDetail; onClose: () => void }) {
  const { t } = useTranslation();
  const publish = useApiMutation(paths.publish, { quiet: true });
  const [people, setPeople] = useState<People>("keep");
  const [failure, setFailure] = useState<unknown>(null);
  const no = (path.live ?? 0) + 1;
  const params = { id: path.id };
  const body = { version: path.version };
  const { data: preview, error } = useQuery({
    ...queryFor(paths.previewPublish, { params, body }),
    gcTime: 0,
    retry: false,
  });
  const save = async () => {
    try {
      await publish.mutateAsync({ params, body: { people: path.learners > 0 ? people : "keep", ...body } });
      toast.done(t("paths.publishing.done", { no }));
      onClose();
    } catch (thrown) {
      setFailure(thrown);
    }
  };
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={t("paths.publishing.title", { no })}
      submitLabel={t("paths.publish", { no })}
      onSubmit={save}
      busy={publish.isPending}
      disabled={!preview}
      failure={failure}
    >
      {error && (
        <p role="alert" className={classes.refusal}>
          {reasonOf(error)}
        </p>
      )}
      {!error && path.learners === 0 && <p className={classes.hint}>{t("paths.publishing.first")}</p>}
      {path.learners > 0 && (
        <Radio.Group
          label={t("paths.publishing.question")}
          value={people}
          onChange={(value) => setPeople(value as People)}
        >
          <Stack gap="sm" mt="xs">
            <Radio
              value="keep"
              label={t("paths.publishing.keep")}
              description={t("paths.publishing.keepText", { no })}
            />
            <Radio value="move" label={t("paths.publishing.move", { no })} />
          </Stack>
        </Radio.Group>
      )}
      {path.learners > 0 && people === "move" && (
        <div className={classes.ledger} aria-live="polite">
          {preview ? <Ledger preview={preview} /> : !error && <Loader size="sm" />}
        </div>
      )}
    </FormDialog>
  );
}

/** The effects of moving everyone, in numbers. */
function Ledger({ preview }: { preview: PublishPreview }) {
  const { t } = useTranslation();
  const { moving, complete, completes, gets, loses } = preview;
  const isQuiet = gets.length === 0 && loses.length === 0 && completes === 0;
  return (
    <>
      <ul>
        <li>{t("paths.publishing.moving", { count: moving })}</li>
        {gets.map(({ stepId, title, people }) => (
          <li key={stepId}>{t("paths.publishing.gets", { count: people, step: title })}</li>
        ))}
        {loses.map(({ stepId, title, people }) => (
          <li key={stepId}>{t("paths.publishing.loses", { count: people, step: title })}</li>
        ))}
        {completes > 0 && <li>{t("paths.publishing.completes", { count: completes })}</li>}
        {complete > 0 && <li>{t("paths.publishing.complete", { count: complete })}</li>}
        {isQuiet && <li>{t("paths.publishing.nothing")}</li>}
      </ul>
      <p className={classes.hint}>{t("paths.publishing.kept")}</p>
    </>
  );
}
