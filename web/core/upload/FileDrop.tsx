import { Button } from "@mantine/core";
import { IconAlertCircle, IconUpload } from "@tabler/icons-react";
import { type ClipboardEvent, type DragEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/core/upload/FileDrop.module.css";
import { formatBytes } from "#web/core/format/format.ts";
import { giveFile, isSameFile } from "#web/core/upload/uploadActions.ts";
import { UploadRow } from "#web/core/upload/UploadRow.tsx";
import { addUploads } from "#web/core/upload/uploadRuns.ts";
import { type Place, useUploads, useWatching } from "#web/core/upload/uploads.ts";

type Props = {
  /** What the files are for; its slot says which uploads are shown here. */
  place: Place;
  /** What goes here: `Course package`. */
  label: string;
  /** Small print: kinds and largest size. */
  hint?: string;
  /** Endings such as `.zip`, as for `<input accept>`. */
  accept: string[];
  maxBytes: number;
  /** Several files; they go in turn if their kind wants that. */
  multiple?: boolean;
  /** What happens once all bytes are there: `Checking the package`. */
  finishing?: string;
};

/**
 * Files by drop, paste, mouse or keyboard, and the uploads of the slot with progress, pause, and what went wrong. They go
 * on when this part is taken off the page. What came of them (`done`, `refused`) is for the domain to show.
 */
export function FileDrop({ place, label, hint, accept, maxBytes, multiple = false, finishing }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const choose = useRef<HTMLButtonElement>(null);
  const [over, setOver] = useState(false);
  const [refused, setRefused] = useState<string[]>([]);
  const rows = useUploads({ slot: place.slot }).filter(({ phase }) => phase !== "done" && phase !== "refused");
  const open = multiple || rows.length === 0;
  useWatching(place.slot);

  const wrongWith = (file: File) =>
    accept.length > 0 && !accept.some((end) => file.name.toLowerCase().endsWith(end))
      ? t("web.drop.wrongKind", { name: file.name, kinds: accept.join(", ") })
      : file.size > maxBytes
        ? t("web.drop.tooLarge", { name: file.name, size: formatBytes(file.size), limit: formatBytes(maxBytes) })
        : null;
  const offer = (list: FileList | null | undefined) => {
    const files = [...(list ?? [])];
    if (files.length === 0) return;
    // A file that an interrupted upload is waiting for goes there.
    const fresh = files.filter(
      (file) => !rows.some((row) => row.phase === "missing" && isSameFile(row, file) && giveFile(row.id, file)),
    );
    if (!multiple && fresh.length > 0 && (rows.length > 0 || fresh.length > 1))
      return setRefused([rows.length > 0 ? t("web.drop.busy") : t("web.drop.one", { count: fresh.length })]);
    setRefused(fresh.flatMap((file) => wrongWith(file) ?? []));
    addUploads(
      place,
      fresh.filter((file) => !wrongWith(file)),
    );
  };
  useEffect(() => {
    const paste = (event: Event) => offer((event as unknown as ClipboardEvent).clipboardData?.files);
    document.addEventListener("paste", paste);
    return () => document.removeEventListener("paste", paste);
  });
  // A file that misses the area would otherwise replace the page.
  useEffect(() => {
    const stay = (event: Event) => event.preventDefault();
    addEventListener("dragover", stay);
    addEventListener("drop", stay);
    return () => {
      removeEventListener("dragover", stay);
      removeEventListener("drop", stay);
    };
  }, []);
  // The buttons of an upload go with it: whoever was on one of them stands on the next thing to do.
  const count = rows.length;
  const before = useRef(count);
  useEffect(() => {
    if (open && count < before.current && document.activeElement === document.body) choose.current?.focus();
    before.current = count;
  }, [count, open]);
  const dragging = (on: boolean) => (event: DragEvent) => {
    event.preventDefault();
    if (on || !event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(on);
  };

  return (
    <div
      className={classes.all}
      data-open={open || undefined}
      onDragEnter={dragging(true)}
      onDragOver={dragging(true)}
      onDragLeave={dragging(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        offer(event.dataTransfer.files);
      }}
    >
      {refused.length > 0 && (
        <div className={classes.failure} role="alert">
          <IconAlertCircle size={18} stroke={1.7} aria-hidden />
          <div>
            {refused.map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
          </div>
        </div>
      )}
      {rows.map((row) => (
        <UploadRow key={row.id} upload={row} accept={accept} {...(finishing && { finishing })} />
      ))}
      {open && (
        <div className={classes.drop} data-over={over || undefined} data-small={rows.length > 0 || undefined}>
          <input
            ref={input}
            id={id}
            type="file"
            accept={accept.join()}
            multiple={multiple}
            className="ly-hidden"
            tabIndex={-1}
            aria-label={label}
            onChange={(event) => {
              offer(event.currentTarget.files);
              event.currentTarget.value = "";
            }}
          />
          <span className={classes.label}>{over ? t("web.drop.release") : label}</span>
          <Button
            ref={choose}
            variant="default"
            leftSection={<IconUpload size={18} stroke={1.7} />}
            onClick={() => input.current?.click()}
          >
            {rows.length > 0
              ? t("web.drop.more")
              : refused.length > 0
                ? t("web.drop.another")
                : multiple
                  ? t("web.drop.chooseMany")
                  : t("web.drop.choose")}
          </Button>
          <span className={`${classes.hint} ${classes.mouse}`}>
            {multiple ? t("web.drop.orMany") : t("web.drop.or")}
          </span>
          {hint && <span className={classes.hint}>{hint}</span>}
        </div>
      )}
    </div>
  );
}
