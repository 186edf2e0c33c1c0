import { Button, Group } from "@mantine/core";
import { useTranslation } from "react-i18next";
import certificateClasses from "#web/certificates/certificates.module.css";
import { useApiMutation } from "#web/core/api/api.ts";
import { download } from "#web/core/api/download.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { CopyField } from "#web/core/display/CopyField.tsx";
import { ExportMenu } from "#web/core/display/ExportMenu.tsx";
import { formatDate, formatDateIn } from "#web/core/format/format.ts";
import { urlOf } from "#web/core/http/http.ts";
import { toast } from "#web/core/toast/toast.ts";
import classes from "#web/transcripts/transcripts.module.css";
import { type Transcript, transcripts } from "#shared/transcripts/transcripts.ts";

type Props = { transcript: Transcript; onView: () => void; onShare: () => void };

/** A transcript with its files and its link. */
export function TranscriptCard({ transcript, onView, onShare }: Props) {
  const { t } = useTranslation();
  const { id, number, issuedAt, zone, entries, link, opened, lastOpenedAt } = transcript;
  const unshare = useApiMutation(transcripts.unshare, { quiet: true });
  const remove = useApiMutation(transcripts.remove, { quiet: true });
  const params = { id };
  const save = (format: "pdf" | "csv" | "xlsx" | "json") => {
    const url =
      format === "pdf" ? urlOf(transcripts.pdf, { params }) : urlOf(transcripts.file, { params, query: { format } });
    return download(url, `${number}.${format}`).catch((error: unknown) => toast.failed(error));
  };
  const askToEnd = () =>
    confirm({
      title: t("transcripts.share.endTitle", { number }),
      text: t("transcripts.share.endText"),
      confirmLabel: t("transcripts.share.end"),
      cancelLabel: t("transcripts.share.keep"),
      onConfirm: async () => {
        await unshare.mutateAsync({ params });
        toast.done(t("transcripts.share.ended", { number }));
      },
    });
  const askToRemove = () =>
    confirm({
      title: t("transcripts.remove.title", { number }),
      text: t("transcripts.remove.text"),
      confirmLabel: t("transcripts.remove.action"),
      cancelLabel: t("transcripts.remove.keep"),
      danger: true,
      onConfirm: async () => {
        await remove.mutateAsync({ params });
        toast.done(t("transcripts.remove.done", { number }));
      },
    });
  const hiddenNumber = <span className="ly-hidden"> {number}</span>;
  return (
    <li className={certificateClasses.card}>
      <h2>{number}</h2>
      <p className={classes.dim}>
        {[
          t("transcripts.issuedOn", { day: formatDateIn(issuedAt, zone) }),
          t("transcripts.entries", { count: entries }),
          t(`transcripts.contents.${contentsOf(transcript)}`),
        ].join(" · ")}
      </p>
      <div className={classes.link}>
        {link ? (
          <>
            <CopyField label={t("transcripts.share.link", { number })} text={link.url} />
            <p className={classes.dim}>
              {t("transcripts.share.until", { day: formatDate(link.lastDay) })} ·{" "}
              {t("transcripts.share.opened", { count: opened, day: lastOpenedAt ? formatDate(lastOpenedAt) : "" })}
            </p>
            <Group gap="xs">
              <Button size="xs" variant="default" onClick={onShare}>
                {t("transcripts.share.renew")}
                {hiddenNumber}
              </Button>
              <Button size="xs" variant="subtle" onClick={askToEnd}>
                {t("transcripts.share.end")}
                {hiddenNumber}
              </Button>
            </Group>
          </>
        ) : (
          <p className={classes.dim}>{t("transcripts.share.notShared")}</p>
        )}
      </div>
      <Group gap="xs" mt="md">
        <Button variant="default" onClick={onView}>
          {t("transcripts.view")}
          {hiddenNumber}
        </Button>
        {!link && (
          <Button variant="default" onClick={onShare}>
            {t("transcripts.share.action")}
            {hiddenNumber}
          </Button>
        )}
        <ExportMenu
          label={
            <>
              {t("transcripts.files")}
              {hiddenNumber}
            </>
          }
          formats={{
            pdf: t("transcripts.format.pdf"),
            csv: t("transcripts.format.csv"),
            xlsx: t("transcripts.format.xlsx"),
            json: t("transcripts.format.json"),
          }}
          save={save}
        />
        <Button variant="subtle" color="red" onClick={askToRemove}>
          {t("transcripts.remove.action")}
          {hiddenNumber}
        </Button>
      </Group>
    </li>
  );
}

function contentsOf({ withScores, withTimes }: Transcript) {
  if (withScores && withTimes) return "both";
  if (withScores) return "scores";
  return withTimes ? "times" : "neither";
}
