import { ActionIcon, Button, SegmentedControl, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlayerPlay, IconPlus, IconTrash } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { BotQuestionDialog } from "#web/chatbots/questions/BotQuestionDialog.tsx";
import classes from "#web/chatbots/chatbots.module.css";
import conversationClasses from "#web/chatbots/transcripts/conversation.module.css";
import { call, queriesOf, queryFor, useApiMutation } from "#web/core/api/api.ts";
import { Pill } from "#web/core/display/Pill.tsx";
import { StatusDot } from "#web/core/display/StatusDot.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { type BotQuestion, type BotQuestionResult, botQuestions } from "#shared/chatbots/botQuestions.ts";
import type { Chatbot } from "#shared/chatbots/chatbots.ts";

const icon = { size: 17, stroke: 1.7 };

/** Test questions of the chatbot, run on the draft or the live version, with changes since the last run. */
export function BotQuestions({ bot }: { bot: Chatbot }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const params = { id: bot.id };
  const { data } = useQuery(queryFor(botQuestions.list, { params }));
  const removing = useApiMutation(botQuestions.remove);
  const [adding, add] = useDisclosure();
  const [of, setOf] = useState<BotQuestionResult["of"]>("draft");
  const [done, setDone] = useState<number | null>(null);
  if (bot.settings.pedagogy === "scene")
    return <EmptyState title={t("chatbots.questions.scene")} text={t("chatbots.questions.sceneText")} />;
  const questions = data?.items ?? [];
  const runAll = async () => {
    setDone(0);
    try {
      for (const { id: questionId } of questions) {
        await call(botQuestions.run, { params: { ...params, questionId }, body: { of } });
        setDone((before) => (before ?? 0) + 1);
      }
    } catch (error) {
      toast.failed(error);
    } finally {
      setDone(null);
      await client.invalidateQueries(queriesOf(botQuestions.list));
    }
  };
  const addButton = (
    <Button variant="default" leftSection={<IconPlus {...icon} />} onClick={add.open}>
      {t("chatbots.questions.add")}
    </Button>
  );
  return (
    <>
      {data && questions.length === 0 && (
        <EmptyState title={t("chatbots.questions.none")} text={t("chatbots.questions.noneText")} action={addButton} />
      )}
      {questions.length > 0 && (
        <>
          <div className={conversationClasses.questionTools}>
            <span className={classes.tools}>
              {bot.live && (
                <SegmentedControl
                  aria-label={t("chatbots.questions.of")}
                  value={of}
                  onChange={(next) => setOf(next as BotQuestionResult["of"])}
                  data={[
                    { value: "draft", label: t("chatbots.questions.draft") },
                    { value: "live", label: t("chatbots.versionNumber", { number: bot.live.number }) },
                  ]}
                />
              )}
              <Button leftSection={<IconPlayerPlay {...icon} />} disabled={done !== null} onClick={() => void runAll()}>
                {done === null
                  ? t("chatbots.questions.run", { count: questions.length })
                  : t("chatbots.questions.running", { done, all: questions.length })}
              </Button>
            </span>
            {addButton}
          </div>
          <ul className={conversationClasses.questions}>
            {questions.map((question) => (
              <li key={question.id}>
                <div className={classes.stepHead}>
                  <strong>{question.question}</strong>
                  <ActionIcon
                    aria-label={t("chatbots.questions.remove", { question: question.question })}
                    title={t("chatbots.questions.remove", { question: question.question })}
                    onClick={() => removing.mutate({ params: { ...params, questionId: question.id } })}
                  >
                    <IconTrash {...icon} />
                  </ActionIcon>
                </div>
                <Text size="sm" c="dimmed">
                  {expectationOf(question, t("chatbots.questions.refusal"), t("chatbots.questions.document"))}
                </Text>
                <Result bot={bot} result={question.results.find((result) => result.of === of)} />
              </li>
            ))}
          </ul>
        </>
      )}
      {adding && <BotQuestionDialog bot={bot} onClose={add.close} />}
    </>
  );
}

const expectationOf = ({ expectsRefusal, facts, documentIds }: BotQuestion, refusal: string, document: string) =>
  expectsRefusal
    ? refusal
    : [...facts.map((fact) => `“${fact}”`), ...documentIds.slice(0, 1).map(() => document)].join(" · ");

/** The last result of the settings that are chosen above. */
function Result({ bot, result }: { bot: Chatbot; result: BotQuestionResult | undefined }) {
  const { t } = useTranslation();
  if (!result) return <StatusDot tone="idle">{t("chatbots.questions.notRun")}</StatusDot>;
  const { of, passed, passedBefore, missing, answer, testedAt } = result;
  const isOther = passedBefore !== null && passedBefore !== passed;
  return (
    <details className={conversationClasses.result}>
      <summary>
        <StatusDot tone={passed ? "ok" : "bad"}>
          {of === "live"
            ? t("chatbots.versionNumber", { number: bot.live?.number ?? 0 })
            : t("chatbots.questions.draft")}
          : {t(passed ? "chatbots.questions.passes" : "chatbots.questions.fails")}
        </StatusDot>
        {isOther && (
          <Pill tone={passed ? "ok" : "bad"}>
            {t(passed ? "chatbots.questions.better" : "chatbots.questions.worse")}
          </Pill>
        )}
        {missing.length > 0 && (
          <span className={classes.dim}>{t("chatbots.questions.missing", { what: missing.join(", ") })}</span>
        )}
        <span className={classes.dim}>
          <Time at={testedAt} />
        </span>
      </summary>
      <p>{answer || t("chatbots.questions.noAnswer")}</p>
    </details>
  );
}
