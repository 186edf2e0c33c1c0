import { Button, Checkbox, Radio, Stack } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "#web/core/api/api.ts";
import { download } from "#web/core/api/download.ts";
import { Dialog } from "#web/core/dialog/Dialog.tsx";
import { DialogFooter } from "#web/core/dialog/DialogFooter.tsx";
import { formatBytes } from "#web/core/format/format.ts";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { toast } from "#web/core/toast/toast.ts";
import classes from "#web/lessons/author/transfer/transfer.module.css";
import type { CourseDraft } from "#shared/lessons/drafts.ts";
import { exportFormat, type ExportFormat } from "#shared/lessons/transfer/exported.ts";
import { type ExportPlan, transfer } from "#shared/lessons/transfer/transfer.ts";

type Props = {
  /** Sends what is not stored yet; rejects if that fails. */
  flush: () => Promise<void>;
  draft: CourseDraft;
  opened: boolean;
  onClose: () => void;
};

/** What an export contains, what it gives away and what it leaves out, before it is downloaded. */
export function ExportDialog({ opened, onClose, ...rest }: Props) {
  const { t } = useTranslation();
  return (
    <Dialog opened={opened} onClose={onClose} title={t("lessonDrafts.export.title")} size={560}>
      {opened && <Choices {...rest} onClose={onClose} />}
    </Dialog>
  );
}

function Choices({ flush, draft, onClose }: Omit<Props, "opened">) {
  const { t } = useTranslation();
  const [format, setFormat] = useState<ExportFormat>("scorm2004");
  const [from, setFrom] = useState<"draft" | "live">(draft.liveNumber === null ? "draft" : "live");
  const [pools, setPools] = useState<"yes" | "no">("yes");
  const [isBusy, setBusy] = useState(false);
  const query = { from, pools };
  const plan = useQuery({
    queryKey: ["lessonExportPlan", draft.id, query],
    queryFn: async ({ signal }) => {
      if (from === "draft") await flush();
      return call(transfer.exportPlan, { params: { id: draft.id }, query }, signal);
    },
    placeholderData: keepPreviousData,
    gcTime: 0,
    staleTime: 0,
  });
  if (plan.error) return <ErrorPanel error={plan.error} onRetry={() => void plan.refetch()} />;
  if (!plan.data) return <p className={classes.line}>{t("lessonDrafts.export.checking")}</p>;
  const save = async () => {
    setBusy(true);
    try {
      if (from === "draft") await flush();
      const asked = new URLSearchParams({ ...query, format });
      await download(`${transfer.export.path.replace(":id", draft.id)}?${asked}`, "course.zip");
      toast.done(t("lessonDrafts.export.started", { title: draft.title }));
      onClose();
    } catch (error) {
      toast.failed(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Stack gap="md">
        <Radio.Group
          label={t("lessonDrafts.export.format")}
          value={format}
          onChange={(value) => setFormat(value as ExportFormat)}
        >
          <Stack gap="xs" mt={6}>
            {exportFormat.options.map((one) => (
              <Radio
                key={one}
                value={one}
                label={t(`lessonDrafts.export.formats.${one}`)}
                description={t(`lessonDrafts.export.formatHints.${one}`)}
              />
            ))}
          </Stack>
        </Radio.Group>
        {draft.liveNumber !== null && (
          <Radio.Group
            label={t("lessonDrafts.export.from")}
            value={from}
            onChange={(value) => setFrom(value as "draft")}
          >
            <Stack gap="xs" mt={6}>
              <Radio value="live" label={t("lessonDrafts.export.sources.live", { number: draft.liveNumber })} />
              <Radio value="draft" label={t("lessonDrafts.export.sources.draft")} />
            </Stack>
          </Radio.Group>
        )}
        {plan.data.pooled > 0 && (
          <Checkbox
            checked={pools === "yes"}
            label={t("lessonDrafts.export.pools")}
            description={t("lessonDrafts.export.poolsHint", { count: plan.data.pooled })}
            onChange={({ currentTarget }) => setPools(currentTarget.checked ? "yes" : "no")}
          />
        )}
      </Stack>
      <Contents plan={plan.data} isPackage={format !== "markdown"} />
      <DialogFooter>
        <Button variant="default" onClick={onClose}>
          {t("core.cancel")}
        </Button>
        <Button loading={isBusy} disabled={plan.data.lessons === 0} onClick={() => void save()}>
          {t("lessonDrafts.export.download")}
        </Button>
      </DialogFooter>
    </>
  );
}

function Contents({ plan, isPackage }: { plan: ExportPlan; isPackage: boolean }) {
  const { t } = useTranslation();
  const { lessons, files, bytes, questions, leftOut, emptyVariables } = plan;
  return (
    <div className={classes.contents}>
      <p className={classes.line}>
        {t("lessonDrafts.export.contents", {
          lessons: t("lessonDrafts.contents.lessons", { count: lessons }),
          files: t("lessonDrafts.export.files", { count: files }),
          size: formatBytes(bytes),
        })}
      </p>
      {questions > 0 && (
        <p className={classes.warning} role="status">
          {t("lessonDrafts.export.solutions", { count: questions })}
        </p>
      )}
      {leftOut.length > 0 && (
        <>
          <h3 className={classes.heading}>{t("lessonDrafts.export.leftOut")}</h3>
          <ul className={classes.list}>
            {leftOut.map(({ kind, lesson, count }, at) => (
              <li key={at}>{t(`lessonDrafts.export.left.${kind}`, { lesson, count })}</li>
            ))}
          </ul>
        </>
      )}
      {isPackage && emptyVariables.length > 0 && (
        <>
          <h3 className={classes.heading}>{t("lessonDrafts.export.empty")}</h3>
          <p className={classes.line}>{emptyVariables.join(", ")}</p>
        </>
      )}
      {isPackage && <p className={classes.note}>{t("lessonDrafts.export.local")}</p>}
    </div>
  );
}
