import { Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { CompaniesInput } from "#web/documents/CompaniesInput.tsx";
import { CourseInput } from "#web/documents/CourseInput.tsx";
import { type DocumentRow, documents } from "#shared/documents/documents.ts";

/** The submission of a dialog that adds something: closes it with a message, or keeps it open with the failure. */
function useAdding(onClose: () => void, message: string, add: () => Promise<unknown>) {
  const [failure, setFailure] = useState<unknown>(null);
  const submit = async () => {
    try {
      await add();
      toast.done(message);
      onClose();
    } catch (error) {
      setFailure(error);
    }
  };
  return { submit, failure };
}

/** Adds a web page by its address. */
export function AddPageDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [url, setUrl] = useState("");
  const [companyIds, setCompanyIds] = useState<string[]>([]);
  const add = useApiMutation(documents.addPage, { quiet: true });
  const { submit, failure } = useAdding(onClose, t("documents.page.added"), () =>
    add.mutateAsync({ body: { url: /^https?:/.test(url) ? url : `https://${url}`, companyIds } }),
  );
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={t("documents.addPage")}
      submitLabel={t("documents.page.verb")}
      disabled={url.trim() === ""}
      busy={add.isPending}
      failure={failure}
      onSubmit={submit}
    >
      <TextInput
        label={t("documents.page.address")}
        description={t("documents.page.addressHint")}
        placeholder="https://"
        inputMode="url"
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        maxLength={2000}
      />
      <CompaniesInput value={companyIds} onChange={setCompanyIds} />
    </FormDialog>
  );
}

/** Adds the text of a course. */
export function AddCourseDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [courseId, setCourseId] = useState<string | null>(null);
  const [companyIds, setCompanyIds] = useState<string[]>([]);
  const add = useApiMutation(documents.addCourse, { quiet: true });
  const { submit, failure } = useAdding(onClose, t("documents.course.added"), () =>
    add.mutateAsync({ body: { courseId: courseId ?? "", companyIds } }),
  );
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={t("documents.addCourse")}
      submitLabel={t("documents.course.verb")}
      disabled={!courseId}
      busy={add.isPending}
      failure={failure}
      onSubmit={submit}
    >
      <CourseInput value={courseId} onChange={setCourseId} />
      <CompaniesInput value={companyIds} onChange={setCompanyIds} description={t("documents.course.companiesHint")} />
    </FormDialog>
  );
}

/** Adds a text that is typed or pasted; with `document`, as its next version. */
export function EnterTextDialog({ onClose, document }: { onClose: () => void; document?: DocumentRow }) {
  const { t } = useTranslation();
  const [title, setTitle] = useState(document?.title ?? "");
  const [text, setText] = useState("");
  const [companyIds, setCompanyIds] = useState<string[]>([]);
  const add = useApiMutation(documents.addText, { quiet: true });
  const { submit, failure } = useAdding(onClose, t("documents.text.added"), () =>
    add.mutateAsync({ body: { title, text, ...(document ? { documentId: document.id } : { companyIds }) } }),
  );
  return (
    <FormDialog
      opened
      onClose={onClose}
      size={640}
      title={t("documents.text.title")}
      submitLabel={t("documents.text.verb")}
      disabled={title.trim() === "" || text.trim() === ""}
      busy={add.isPending}
      failure={failure}
      onSubmit={submit}
    >
      <TextInput
        label={t("documents.text.name")}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
        maxLength={200}
      />
      <Textarea
        label={t("documents.text.text")}
        description={t("documents.text.textHint")}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        autosize
        minRows={8}
        maxRows={18}
        maxLength={500_000}
      />
      {!document && <CompaniesInput value={companyIds} onChange={setCompanyIds} />}
    </FormDialog>
  );
}
