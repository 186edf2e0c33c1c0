import { Select, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useDocumentSearch } from "#web/analysis/useDocumentSearch.ts";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { type QuestionClusterDetail, questionClusters } from "#shared/analysis/questionClusters.ts";

const NEW = "new";
type Props = { cluster: QuestionClusterDetail; onClose: () => void };

/** Adds the answer to a text document; the question becomes a test question of it. */
export function WriteAnswerDialog({ cluster, onClose }: Props) {
  const { t } = useTranslation();
  const newLabel = t("analysis.unanswered.dialog.new");
  const used = cluster.documents.filter(({ isText }) => isText);
  const [question, setQuestion] = useState(cluster.question);
  const [text, setText] = useState("");
  const [where, setWhere] = useState(used[0]?.id ?? NEW);
  const [title, setTitle] = useState("");
  const [failure, setFailure] = useState<unknown>(null);
  const [titles] = useState(
    () => new Map([...used.map(({ id, title: name }) => [id, name] as const), [NEW, newLabel]]),
  );
  const { items: library, typed, setTyped } = useDocumentSearch(titles, where);
  const others = library.filter(({ id, source }) => source === "text" && !used.some((one) => one.id === id));
  // The selected document remains among the options during a search.
  const isListed = where === NEW || [...used, ...others].some(({ id }) => id === where);
  const chosenOther = isListed ? [] : [{ value: where, label: titles.get(where) ?? "" }];
  const answer = useApiMutation(questionClusters.answer, { quiet: true });
  const submit = async () => {
    setFailure(null);
    const target =
      where === NEW ? { kind: "document" as const, title } : { kind: "section" as const, documentId: where };
    try {
      await answer.mutateAsync({ params: { id: cluster.id }, body: { question, answer: { ...target, text } } });
      toast.done(t("analysis.unanswered.dialog.saved"), { text: t("analysis.unanswered.dialog.savedText") });
      onClose();
    } catch (error) {
      setFailure(error);
    }
  };
  const options = (list: { id: string; title: string }[]) =>
    list.map(({ id, title: name }) => ({ value: id, label: name }));
  return (
    <FormDialog
      opened
      onClose={onClose}
      size={640}
      title={t("analysis.unanswered.dialog.title")}
      submitLabel={t("analysis.unanswered.dialog.submit")}
      disabled={question.trim() === "" || text.trim() === "" || (where === NEW && title.trim() === "")}
      busy={answer.isPending}
      failure={failure}
      onSubmit={submit}
    >
      <TextInput
        label={t("analysis.unanswered.dialog.question")}
        description={t("analysis.unanswered.dialog.questionHint")}
        value={question}
        onChange={(event) => setQuestion(event.currentTarget.value)}
        maxLength={500}
      />
      <Textarea
        label={t("analysis.unanswered.dialog.text")}
        description={t("analysis.unanswered.dialog.textHint")}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        autosize
        minRows={5}
        maxRows={14}
        maxLength={20_000}
        data-autofocus
      />
      <Select
        label={t("analysis.unanswered.dialog.where")}
        description={where === NEW ? undefined : t("analysis.unanswered.dialog.whereHint")}
        data={[
          ...(used.length > 0
            ? [{ group: t("analysis.unanswered.dialog.used", { chatbot: cluster.chatbot }), items: options(used) }]
            : []),
          ...(others.length > 0 ? [{ group: t("analysis.unanswered.dialog.other"), items: options(others) }] : []),
          ...chosenOther,
          { value: NEW, label: newLabel },
        ]}
        value={where}
        onChange={(next) => next && setWhere(next)}
        allowDeselect={false}
        searchable
        searchValue={typed}
        onSearchChange={setTyped}
      />
      {where === NEW && (
        <TextInput
          label={t("analysis.unanswered.dialog.newTitle")}
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
          maxLength={200}
        />
      )}
      {!used.some(({ id }) => id === where) && (
        <Text size="sm" c="var(--ly-warn)">
          {t("analysis.unanswered.dialog.unused", { chatbot: cluster.chatbot })}
        </Text>
      )}
    </FormDialog>
  );
}
