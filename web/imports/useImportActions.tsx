import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useApiMutation } from "#web/core/api/api.ts";
import { download } from "#web/core/api/download.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { formatNumber } from "#web/core/format/format.ts";
import { urlOf } from "#web/core/http/http.ts";
import { toast } from "#web/core/toast/toast.ts";
import type { LeaverChoice } from "#web/imports/Leavers.tsx";
import { type ImportDetail, imports, needsNumber } from "#shared/imports/imports.ts";

/** Applies, undoes, deletes and downloads an import, with the questions before. */
export function useImportActions(file: ImportDetail) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const applying = useApiMutation(imports.apply);
  const undoing = useApiMutation(imports.undo, { quiet: true });
  const removing = useApiMutation(imports.remove, { quiet: true });
  const params = { id: file.id };
  return {
    isBusy: applying.isPending || undoing.isPending,
    download: () =>
      download(urlOf(imports.rejected, { params }), "rejected.csv").catch((error: unknown) => toast.failed(error)),
    /** `leaving`: how many leavers are suspended; people whose row says so are added. */
    apply({ invites, answer, keepIds }: { invites: boolean } & LeaverChoice, leaving: number) {
      if (file.leavers > 0 && !answer) {
        toast.failed(t("imports.leaversUnanswered"));
        document.getElementById("leavers")?.scrollIntoView({ block: "center" });
        return;
      }
      const body = { invites, keepIds, ...(answer && { leavers: answer }) };
      const send = async (confirmed?: number) => {
        await applying.mutateAsync({ params, body: { ...body, ...(confirmed && { confirm: confirmed }) } });
        toast.done(t("imports.started"));
      };
      const suspended = leaving + file.counts.suspend;
      if (!needsNumber(suspended, file.members)) return void send().catch(() => {});
      confirm({
        title: t("imports.confirmTitle", { count: suspended }),
        text: t("imports.confirmText", { members: formatNumber(file.members), company: file.company }),
        confirmLabel: t("imports.confirmRun"),
        cancelLabel: t("imports.cancel"),
        danger: true,
        typedCode: String(suspended),
        onConfirm: () => send(suspended),
      });
    },
    undo: () =>
      confirm({
        title: t("imports.undoTitle"),
        text: t(file.about === "people" ? "imports.undoText" : "imports.undoCompletionsText"),
        confirmLabel: t("imports.undo"),
        cancelLabel: t("imports.cancel"),
        onConfirm: async () => {
          await undoing.mutateAsync({ params });
          toast.done(t("imports.undoStarted"));
        },
      }),
    remove: () =>
      confirm({
        title: t("imports.removeTitle"),
        text: t("imports.removeText"),
        confirmLabel: t("imports.remove"),
        cancelLabel: t("imports.cancel"),
        danger: true,
        onConfirm: async () => {
          await navigate("/learners/imports");
          await removing.mutateAsync({ params });
          toast.done(t("imports.removed"));
        },
      }),
  };
}
