import { Button } from "@mantine/core";
import { IconAlertCircle, IconUpload } from "@tabler/icons-react";
import { type DragEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/core/upload/FileDrop.module.css";
import { formatBytes } from "#web/core/format/format.ts";
import { resumeWithFile, isSameFile } from "#web/core/upload/uploadActions.ts";
import { UploadRow } from "#web/core/upload/UploadRow.tsx";
import { droppedFiles } from "#web/core/upload/droppedFiles.ts";
import { addUploads } from "#web/core/upload/uploadRuns.ts";
import { type UploadDestination, useUploads, useWatching } from "#web/core/upload/uploads.ts";

type Props = {
  /** What the files are for; its slot selects the uploads displayed here. */
  destination: UploadDestination;
  /** For example `Course package`. */
  label: string;
  /** Help text: types and largest size. */
  hint?: string;
  /** File extensions such as `.zip`, as for `<input accept>`. */
  accept: string[];
  maxBytes: number;
  /** Allows several files. */
  multiple?: boolean;
  /** Shown while the handler runs: `Checking the package`. */
  finishing?: string;
};

/**
 * Accepts files by drop, paste, mouse or keyboard, and shows the uploads of the slot. They continue when this component
 * unmounts. Displaying results (`done`, `refused`) is up to the domain.
 */
export function FileDrop({ destination, label, hint, accept, maxBytes, multiple = false, finishing }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const chooseButton = useRef<HTMLButtonElement>(null);
  const [isDraggedOver, setDraggedOver] = useState(false);
  const [refused, setRefused] = useState<string[]>([]);
  const rows = useUploads({ slot: destination.slot }).filter(({ phase }) => phase !== "done" && phase !== "refused");
  const isOpen = multiple || rows.length === 0;
  useWatching(destination.slot);

  const rejectionOf = (file: File) => {
    const hasAcceptedKind =
      accept.length === 0 || accept.some((extension) => file.name.toLowerCase().endsWith(extension));
    if (!hasAcceptedKind) return t("web.drop.wrongKind", { name: file.name, kinds: accept.join(", ") });
    if (file.size > maxBytes)
      return t("web.drop.tooLarge", { name: file.name, size: formatBytes(file.size), limit: formatBytes(maxBytes) });
    return null;
  };
  const addFiles = (list: FileList | File[] | null | undefined) => {
    const files = [...(list ?? [])];
    if (files.length === 0) return;
    // Continues interrupted uploads that are waiting for their file.
    const newFiles = files.filter(
      (file) => !rows.some((row) => row.phase === "missing" && isSameFile(row, file) && resumeWithFile(row.id, file)),
    );
    if (!multiple && newFiles.length > 0 && (rows.length > 0 || newFiles.length > 1))
      return setRefused([rows.length > 0 ? t("web.drop.busy") : t("web.drop.one", { count: newFiles.length })]);
    setRefused(newFiles.flatMap((file) => rejectionOf(file) ?? []));
    addUploads(
      destination,
      newFiles.filter((file) => !rejectionOf(file)),
    );
  };
  useEffect(() => {
    const paste = (event: ClipboardEvent) => addFiles(event.clipboardData?.files);
    document.addEventListener("paste", paste);
    return () => document.removeEventListener("paste", paste);
  });
  // Otherwise the browser would open a file that is dropped outside the area.
  useEffect(() => {
    const stay = (event: Event) => event.preventDefault();
    addEventListener("dragover", stay);
    addEventListener("drop", stay);
    return () => {
      removeEventListener("dragover", stay);
      removeEventListener("drop", stay);
    };
  }, []);
  // Moves the focus to the next action when the row with the focused button disappears.
  const count = rows.length;
  const previousCount = useRef(count);
  useEffect(() => {
    if (isOpen && count < previousCount.current && document.activeElement === document.body)
      chooseButton.current?.focus();
    previousCount.current = count;
  }, [count, isOpen]);
  const dragging = (on: boolean) => (event: DragEvent) => {
    event.preventDefault();
    if (on || !event.currentTarget.contains(event.relatedTarget as Node | null)) setDraggedOver(on);
  };

  const chooseKey = multiple ? "web.drop.chooseMany" : "web.drop.choose";
  const firstKey = refused.length > 0 ? "web.drop.another" : chooseKey;
  const buttonKey = rows.length > 0 ? "web.drop.more" : firstKey;
  return (
    <div
      className={classes.all}
      data-open={isOpen || undefined}
      onDragEnter={dragging(true)}
      onDragOver={dragging(true)}
      onDragLeave={dragging(false)}
      onDrop={(event) => {
        event.preventDefault();
        setDraggedOver(false);
        void droppedFiles(event.dataTransfer).then(addFiles);
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
      {isOpen && (
        <div className={classes.drop} data-over={isDraggedOver || undefined} data-small={rows.length > 0 || undefined}>
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
              addFiles(event.currentTarget.files);
              event.currentTarget.value = "";
            }}
          />
          <span className={classes.label}>{isDraggedOver ? t("web.drop.release") : label}</span>
          <Button
            ref={chooseButton}
            variant="default"
            leftSection={<IconUpload size={18} stroke={1.7} />}
            onClick={() => input.current?.click()}
          >
            {t(buttonKey)}
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
