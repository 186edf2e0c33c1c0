import { Autocomplete, Button, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { Dialog } from "#web/core/dialog/Dialog.tsx";
import { DialogFooter } from "#web/core/dialog/DialogFooter.tsx";
import { markFirstField } from "#web/core/dialog/markFirstField.ts";
import { FileDrop } from "#web/core/upload/FileDrop.tsx";
import { dismissUpload } from "#web/core/upload/uploadActions.ts";
import { uploadList, useUploads } from "#web/core/upload/uploads.ts";
import { CompaniesInput } from "#web/documents/CompaniesInput.tsx";
import { documentDestination, documentSlot } from "#web/documents/documentUpload.ts";
import { DOCUMENT_EXTENSIONS, MAX_DOCUMENT_BYTES } from "#shared/documents/documentVersions.ts";
import { type DocumentRow, documents } from "#shared/documents/documents.ts";

type Props = { onClose: () => void; /** The document that gets a new version. */ document?: DocumentRow };

/** Uploads documents, or a version of one. Uploads continue when it is closed; their results are in the list. */
export function UploadDocuments({ onClose, document }: Props) {
  const { t } = useTranslation();
  const [folder, setFolder] = useState("");
  const [companyIds, setCompanyIds] = useState<string[]>([]);
  const { data } = useQuery(queryFor(documents.folders));
  const slot = documentSlot(document?.id);
  const done = useUploads({ slot }).filter(({ phase }) => phase === "done");
  useEffect(() => {
    for (const upload of uploadList()) if (upload.slot === slot && upload.phase === "done") dismissUpload(upload.id);
  }, [slot]);
  const close = () => {
    onClose();
    for (const { id } of done) dismissUpload(id);
  };
  const isComplete = document !== undefined && done.length > 0;
  useEffect(() => {
    if (isComplete) close();
  });
  return (
    <Dialog
      opened
      onClose={close}
      size={560}
      title={
        document
          ? t("documents.uploading.versionTitle", { number: document.latest.number + 1, title: document.title })
          : t("documents.uploading.title")
      }
      closeOnClickOutside={false}
    >
      <Stack gap="md" ref={markFirstField}>
        {!document && <CompaniesInput value={companyIds} onChange={setCompanyIds} />}
        {!document && (
          <Autocomplete
            label={t("documents.uploading.folder")}
            description={t("documents.uploading.folderHint")}
            data={(data?.items ?? []).map((one) => one.folder)}
            value={folder}
            onChange={setFolder}
            maxLength={200}
          />
        )}
        <FileDrop
          destination={documentDestination(document ? { documentId: document.id } : { folder, companyIds })}
          label={document ? t("documents.uploading.versionLabel") : t("documents.uploading.label")}
          hint={t("documents.uploading.hint")}
          accept={DOCUMENT_EXTENSIONS}
          maxBytes={MAX_DOCUMENT_BYTES}
          multiple={!document}
          finishing={t("documents.uploading.finishing")}
        />
        {done.length > 0 && <p role="status">{t("documents.uploading.added", { count: done.length })}</p>}
      </Stack>
      <DialogFooter>
        <Button variant={done.length > 0 ? "filled" : "default"} onClick={close}>
          {t("core.close")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
