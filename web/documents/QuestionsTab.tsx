import { ActionIcon, Button, Text, Textarea, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { StatusDot } from "#web/core/display/StatusDot.tsx";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { toast } from "#web/core/toast/toast.ts";
import classes from "#web/documents/documents.module.css";
import { type DocumentDetail, documents, type TestQuestion } from "#shared/documents/documents.ts";

/** The test questions for new versions, and the results of the latest versions. */
export function QuestionsTab({ document, questions }: { document: DocumentDetail; questions: TestQuestion[] }) {
  const { t } = useTranslation();
  const [adding, setAdding] = useState(false);
  const removing = useApiMutation(documents.removeTestQuestion);
  const addButton = (
    <Button variant="default" leftSection={<IconPlus size={18} stroke={1.7} />} onClick={() => setAdding(true)}>
      {t("documents.questions.add")}
    </Button>
  );
  const remove = async (id: string) => {
    await removing.mutateAsync({ params: { id } });
    toast.done(t("documents.questions.removed"));
  };
  return (
    <>
      {questions.length === 0 ? (
        <EmptyState title={t("documents.questions.none")} text={t("documents.questions.noneText")} action={addButton} />
      ) : (
        <>
          <div className={classes.tools}>
            <Text c="dimmed" maw={560}>
              {t("documents.questions.intro")}
            </Text>
            {addButton}
          </div>
          <ul className={classes.passages}>
            {questions.map(({ id, question, expected, facts, results }) => (
              <li key={id} className={classes.passage} style={{ paddingLeft: 0 }}>
                <div className={classes.passageHead}>
                  <span>{question}</span>
                  <ActionIcon
                    variant="subtle"
                    aria-label={t("documents.questions.remove")}
                    title={t("documents.questions.remove")}
                    onClick={() => void remove(id)}
                  >
                    <IconTrash size={18} stroke={1.7} />
                  </ActionIcon>
                </div>
                <p>{[`“${expected}”`, ...facts].join(" · ")}</p>
                <div className={classes.results}>
                  {results.length === 0 && t("documents.questions.untested")}
                  {results.slice(0, 3).map((result) => (
                    <Result key={result.version} result={result} />
                  ))}
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
      {adding && <AddQuestion document={document} onClose={() => setAdding(false)} />}
    </>
  );
}

function Result({ result }: { result: TestQuestion["results"][number] }) {
  const { t, i18n } = useTranslation();
  const { rank, missing, version } = result;
  const form = new Intl.PluralRules(i18n.language, { type: "ordinal" }).select(rank ?? 0);
  const place = t(`web.ordinals.${form === "one" || form === "two" || form === "few" ? form : "other"}`, {
    rank: rank ?? 0,
  });
  const parts = [
    rank === null ? t("documents.questions.notFound") : t("documents.questions.found", { rank: place }),
    missing.length > 0 && t("documents.questions.missing", { count: missing.length }),
  ].filter(Boolean);
  return (
    <StatusDot tone={rank === null || missing.length > 0 ? "bad" : "ok"}>
      {t("documents.questions.versionResult", { number: version })}: {parts.join(", ")}
    </StatusDot>
  );
}

function AddQuestion({ document, onClose }: { document: DocumentDetail; onClose: () => void }) {
  const { t } = useTranslation();
  const [question, setQuestion] = useState("");
  const [expected, setExpected] = useState("");
  const [facts, setFacts] = useState("");
  const [failure, setFailure] = useState<unknown>(null);
  const add = useApiMutation(documents.addTestQuestion, { quiet: true });
  const submit = async () => {
    const lines = facts.split("\n").flatMap((fact) => fact.trim() || []);
    try {
      await add.mutateAsync({ params: { id: document.id }, body: { question, expected, facts: lines } });
      toast.done(t("documents.ask.saved"));
      onClose();
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={t("documents.questions.add")}
      submitLabel={t("documents.questions.verb")}
      disabled={question.trim() === "" || expected.trim() === ""}
      busy={add.isPending}
      failure={failure}
      onSubmit={submit}
    >
      <TextInput
        label={t("documents.questions.question")}
        value={question}
        onChange={(event) => setQuestion(event.currentTarget.value)}
        maxLength={500}
      />
      <Textarea
        label={t("documents.questions.expected")}
        description={t("documents.questions.expectedHint")}
        value={expected}
        onChange={(event) => setExpected(event.currentTarget.value)}
        autosize
        minRows={2}
        maxLength={2000}
      />
      <Textarea
        label={t("documents.questions.facts")}
        description={t("documents.questions.factsHint")}
        value={facts}
        onChange={(event) => setFacts(event.currentTarget.value)}
        autosize
        minRows={2}
      />
    </FormDialog>
  );
}
