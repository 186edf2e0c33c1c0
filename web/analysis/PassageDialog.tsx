import { Radio, Select, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/analysis/clusters.module.css";
import { useDocumentSearch } from "#web/analysis/useDocumentSearch.ts";
import { pagedQueryFor, useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { documents } from "#shared/documents/documents.ts";
import { type QuestionClusterDetail, questionClusters } from "#shared/analysis/questionClusters.ts";

const LISTED = 25;
type Props = { cluster: QuestionClusterDetail; onClose: () => void };

/** Selects an existing passage as the answer; the question becomes a test question of its document. */
export function PassageDialog({ cluster, onClose }: Props) {
  const { t } = useTranslation();
  const [question, setQuestion] = useState(cluster.question);
  const [documentId, setDocumentId] = useState<string | null>(cluster.documents[0]?.id ?? null);
  const [typed, setTyped] = useState("");
  const [q] = useDebouncedValue(typed.trim(), 250);
  const [passageId, setPassageId] = useState<string | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [titles] = useState(() => new Map(cluster.documents.map(({ id, title }) => [id, title])));
  // Includes earlier results, so that the selected document remains among the options.
  const library = useDocumentSearch(titles, documentId);
  const passages = useQuery({
    ...pagedQueryFor(documents.passages, {
      params: { id: documentId ?? "" },
      query: { size: LISTED, ...(q && { q }) },
    }),
    enabled: documentId !== null,
  }).data;
  const answer = useApiMutation(questionClusters.answer, { quiet: true });
  const submit = async () => {
    if (!documentId || !passageId) return;
    setFailure(null);
    try {
      const body = { question, answer: { kind: "passage" as const, documentId, passageId } };
      await answer.mutateAsync({ params: { id: cluster.id }, body });
      toast.done(t("analysis.unanswered.passage.saved"));
      onClose();
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <FormDialog
      opened
      onClose={onClose}
      size={640}
      title={t("analysis.unanswered.passage.title")}
      submitLabel={t("analysis.unanswered.passage.submit")}
      disabled={question.trim() === "" || !passageId}
      busy={answer.isPending}
      failure={failure}
      onSubmit={submit}
    >
      <TextInput
        label={t("analysis.unanswered.dialog.question")}
        description={t("analysis.unanswered.passage.hint")}
        value={question}
        onChange={(event) => setQuestion(event.currentTarget.value)}
        maxLength={500}
      />
      <div className={classes.pair}>
        <Select
          label={t("analysis.unanswered.passage.document")}
          data={[...titles].map(([value, label]) => ({ value, label }))}
          value={documentId}
          onChange={(next) => {
            setDocumentId(next);
            setPassageId(null);
          }}
          allowDeselect={false}
          searchable
          searchValue={library.typed}
          onSearchChange={library.setTyped}
        />
        <TextInput
          label={t("analysis.unanswered.passage.search")}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          maxLength={200}
          data-autofocus
        />
      </div>
      <Radio.Group
        label={t("analysis.unanswered.passage.list")}
        value={passageId}
        onChange={setPassageId}
        className={classes.passages}
      >
        <Stack gap="sm" mt="xs">
          {!documentId && <Text c="dimmed">{t("analysis.unanswered.passage.noDocument")}</Text>}
          {passages?.total === 0 && <Text c="dimmed">{t("analysis.unanswered.passage.none")}</Text>}
          {passages?.items.map(({ id, heading, page, text }) => (
            <Radio
              key={id}
              value={id}
              label={<span className={classes.passage}>{text}</span>}
              description={[heading, page !== null && t("analysis.unanswered.passage.page", { page })]
                .filter(Boolean)
                .join(", ")}
            />
          ))}
          {passages && passages.total > LISTED && <Text c="dimmed">{t("analysis.unanswered.passage.more")}</Text>}
        </Stack>
      </Radio.Group>
    </FormDialog>
  );
}
