import { ActionIcon, Button, Select } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPencil, IconPlayerPlay, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call, useApiMutation } from "#web/core/api/api.ts";
import { StatusDot } from "#web/core/display/StatusDot.tsx";
import { CaseDialog } from "#web/prompts/CaseDialog.tsx";
import { toChoice, useModelChoices } from "#web/prompts/modelChoice.ts";
import classes from "#web/prompts/prompts.module.css";
import { toast } from "#web/core/toast/toast.ts";
import { useQueryClient } from "@tanstack/react-query";
import { type PromptCase, type PromptDetail, prompts } from "#shared/prompts/prompts.ts";

/** Questions with checked answers, for the live version and the newest one side by side. */
export function TestQuestions({ prompt, userId }: { prompt: PromptDetail; userId: string | null }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const models = useModelChoices();
  const [model, setModel] = useState("");
  const [adding, add] = useDisclosure();
  const [edited, setEdited] = useState<PromptCase | null>(null);
  const [progress, setProgress] = useState<number | null>(null);
  const remove = useApiMutation(prompts.removeCase);
  const { questions, live, draft } = prompt;
  const columns = live && live.id !== draft.id ? [live, draft] : [draft];
  const runAll = async () => {
    setProgress(0);
    try {
      for (const question of questions)
        for (const { id: versionId } of columns) {
          await call(prompts.runCase, {
            params: { id: prompt.id, caseId: question.id },
            body: { versionId, userId, ...toChoice(model) },
          });
          setProgress((before) => (before ?? 0) + 1);
        }
    } catch (error) {
      toast.failed(error);
    } finally {
      setProgress(null);
      await client.invalidateQueries({ queryKey: ["prompts"] });
    }
  };
  return (
    <section className={classes.part}>
      <div className={classes.head}>
        <h2>{t("prompts.questions")}</h2>
        <span className={classes.tools}>
          {questions.length > 0 && (
            <>
              <Select
                size="xs"
                w={170}
                aria-label={t("prompts.model")}
                allowDeselect={false}
                data={models}
                value={model}
                onChange={(next) => setModel(next ?? "")}
              />
              <Button
                size="compact-sm"
                h={30}
                px={12}
                variant="default"
                leftSection={<IconPlayerPlay size={16} stroke={1.7} />}
                disabled={progress !== null}
                onClick={() => void runAll()}
              >
                {progress === null
                  ? t("prompts.runAll")
                  : t("prompts.runningOf", { done: progress, all: questions.length * columns.length })}
              </Button>
            </>
          )}
          <Button
            size="compact-sm"
            h={30}
            px={12}
            variant="default"
            leftSection={<IconPlus size={16} stroke={1.7} />}
            onClick={add.open}
          >
            {t("prompts.addQuestion")}
          </Button>
        </span>
      </div>
      {questions.length === 0 ? (
        <p className={classes.dim}>{t("prompts.noQuestions")}</p>
      ) : (
        <table className={classes.questions}>
          <thead>
            <tr>
              <th scope="col">{t("prompts.expected")}</th>
              {columns.map(({ id, number }) => (
                <th key={id} scope="col">
                  {id === live?.id ? t("prompts.liveVersion", { number }) : t("prompts.versionNumber", { number })}
                </th>
              ))}
              <th aria-label={t("prompts.comparison")} />
            </tr>
          </thead>
          <tbody>
            {questions.map((question) => (
              <tr key={question.id}>
                <th scope="row">
                  <button type="button" className={classes.question} onClick={() => setEdited(question)}>
                    {question.name}
                  </button>
                  <Faults question={question} versionId={draft.id} />
                </th>
                {columns.map(({ id }) => (
                  <td key={id}>
                    <Result question={question} versionId={id} />
                  </td>
                ))}
                <td className={classes.side}>
                  {columns.length === 2 && <Comparison question={question} live={columns[0]?.id} draft={draft.id} />}
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t("prompts.editQuestion", { name: question.name })}
                    title={t("prompts.editQuestion", { name: question.name })}
                    onClick={() => setEdited(question)}
                  >
                    <IconPencil size={17} stroke={1.7} />
                  </ActionIcon>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {adding && <CaseDialog promptId={prompt.id} onClose={add.close} />}
      {edited && (
        <CaseDialog
          key={edited.id}
          promptId={prompt.id}
          question={edited}
          onClose={() => setEdited(null)}
          onRemove={async () => {
            await remove.mutateAsync({ params: { id: prompt.id, caseId: edited.id } });
            setEdited(null);
          }}
        />
      )}
    </section>
  );
}

const resultOf = ({ results }: PromptCase, versionId: string | undefined) =>
  results.find((result) => result.versionId === versionId);

function Result({ question, versionId }: { question: PromptCase; versionId: string }) {
  const { t } = useTranslation();
  const result = resultOf(question, versionId);
  if (!result) return <StatusDot tone="idle">{t("prompts.notRun")}</StatusDot>;
  return (
    <span title={result.answer}>
      <StatusDot tone={result.passed ? "ok" : "bad"}>{t(result.passed ? "prompts.passes" : "prompts.fails")}</StatusDot>
    </span>
  );
}

function Faults({ question, versionId }: { question: PromptCase; versionId: string }) {
  const { t } = useTranslation();
  const result = resultOf(question, versionId);
  if (!result || result.passed) return null;
  const [code = ""] = result.faults;
  if (code === "refused") return <span className={classes.faults}>{t("prompts.notAnswered")}</span>;
  const isFailure = result.answer === "";
  return (
    <span className={classes.faults}>
      {isFailure ? t(`connectors.causes.${code as "busy"}`, { defaultValue: code }) : result.faults.join(", ")}
    </span>
  );
}

function Comparison({ question, live, draft }: { question: PromptCase; live: string | undefined; draft: string }) {
  const { t } = useTranslation();
  const [before, after] = [resultOf(question, live), resultOf(question, draft)];
  if (!before || !after || before.passed === after.passed) return null;
  return (
    <span className={classes.change} data-better={after.passed || undefined}>
      {t(after.passed ? "prompts.better" : "prompts.worse")}
    </span>
  );
}
