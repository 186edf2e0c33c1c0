import { ActionIcon, Button, Textarea } from "@mantine/core";
import { IconArrowUp, IconFlask } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { messageOf } from "#web/core/http/messages.ts";
import { Meter } from "#web/core/display/Meter.tsx";
import { toast } from "#web/core/toast/toast.ts";
import classes from "#web/documents/documents.module.css";
import { type Answer, type DocumentDetail, documents } from "#shared/documents/documents.ts";
import { formatPercent } from "#web/core/format/format.ts";

type Props = {
  document: DocumentDetail;
  answer: Answer | null;
  selected: number | null;
  onSelect: (number: number) => void;
  onAnswer: (answer: Answer | null) => void;
};

/** Asks a document a question. Shows the answer with its sources, and why these passages were found. */
export function AskPanel({ document, answer, selected, onSelect, onAnswer }: Props) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const [sentQuestion, setSentQuestion] = useState("");
  const ask = useApiMutation(documents.ask, { quiet: true, refetch: false });
  const isReady = document.live !== null;
  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    const question = typed.trim();
    if (!question || ask.isPending || !isReady) return;
    setSentQuestion(question);
    setTyped("");
    const reply = await ask.mutateAsync({ params: { id: document.id }, body: { question } }).catch(() => null);
    onAnswer(reply);
  };
  const clear = () => {
    setSentQuestion("");
    ask.reset();
    onAnswer(null);
  };
  return (
    <section className={classes.ask} aria-label={t("documents.ask.title")}>
      <header>
        <h2>{t("documents.ask.title")}</h2>
        {sentQuestion && (
          <Button variant="subtle" size="compact-sm" onClick={clear}>
            {t("documents.ask.clear")}
          </Button>
        )}
      </header>
      <div className={classes.askBody}>
        {!sentQuestion && <span className={classes.by}>{t("documents.ask.hint")}</span>}
        {sentQuestion && <p className={classes.question}>{sentQuestion}</p>}
        <div role="status" aria-live="polite">
          {ask.isError && <p className={classes.answer}>{messageOf(ask.error)}</p>}
          {answer && sentQuestion && !ask.isPending && (
            <AnswerText answer={answer} selected={selected} onSelect={onSelect} />
          )}
        </div>
        {answer && answer.passages.length > 0 && !ask.isPending && (
          <>
            <Why answer={answer} selected={selected} onSelect={onSelect} />
            {!answer.isRefused && (
              <SaveQuestion key={sentQuestion} document={document} question={sentQuestion} answer={answer} />
            )}
          </>
        )}
        <form className={classes.composer} onSubmit={(event) => void submit(event)}>
          <Textarea
            aria-label={t(sentQuestion ? "documents.ask.another" : "documents.ask.first")}
            placeholder={t(sentQuestion ? "documents.ask.another" : "documents.ask.first")}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
                event.preventDefault();
                void submit();
              }
            }}
            autosize
            minRows={1}
            maxRows={5}
            maxLength={500}
            disabled={!isReady}
          />
          <ActionIcon
            type="submit"
            size={38}
            loading={ask.isPending}
            disabled={!isReady || typed.trim() === ""}
            aria-label={t("documents.ask.send")}
            title={t("documents.ask.send")}
          >
            <IconArrowUp size={18} stroke={2} />
          </ActionIcon>
        </form>
      </div>
    </section>
  );
}

type AnswerProps = Pick<Props, "selected" | "onSelect"> & { answer: Answer };

function AnswerText({ answer, selected, onSelect }: AnswerProps) {
  const { t } = useTranslation();
  const [nearest] = answer.passages;
  if (answer.isRefused)
    return (
      <p className={classes.answer}>
        {nearest?.page ? t("documents.ask.nearest", { page: nearest.page }) : t("documents.ask.nothing")}
      </p>
    );
  return (
    <>
      <p className={classes.answer}>
        {answer.parts.map(({ text, quote }, at) => (
          <span key={at}>
            {text}
            {quote && (
              <button
                type="button"
                className={classes.number}
                data-selected={selected === quote.passage || undefined}
                aria-label={t("documents.ask.open", { number: quote.passage })}
                onClick={() => onSelect(quote.passage)}
              >
                {quote.passage}
              </button>
            )}
          </span>
        ))}
      </p>
      <span className={classes.by}>{t("documents.ask.by", { connector: answer.connector })}</span>
    </>
  );
}

function Why({ answer, selected, onSelect }: AnswerProps) {
  const { t, i18n } = useTranslation();
  const ordinal = (rank: number | null) => {
    if (rank === null) return "–";
    const form = new Intl.PluralRules(i18n.language, { type: "ordinal" }).select(rank);
    return t(`web.ordinals.${form === "one" || form === "two" || form === "few" ? form : "other"}`, { rank });
  };
  const usesMeaning = answer.passages.some(({ ranks }) => ranks.meaning !== null);
  return (
    <div className={classes.why}>
      <div className={classes.whyHead}>
        <h3>{t("documents.ask.why")}</h3>
        <span className={classes.by}>
          {t(usesMeaning ? "documents.ask.howBoth" : "documents.ask.how", { ms: answer.ms })}
        </span>
      </div>
      <table>
        <thead>
          <tr>
            <th>{t("documents.ask.passage")}</th>
            <th>{t("documents.ask.keywords")}</th>
            <th>{t("documents.ask.meaning")}</th>
            <th>{t("documents.ask.fit")}</th>
          </tr>
        </thead>
        <tbody>
          {answer.passages.map((passage, at) => (
            <tr key={passage.id}>
              <td>
                <button
                  type="button"
                  className={classes.number}
                  data-selected={selected === at + 1 || undefined}
                  aria-label={t("documents.ask.open", { number: at + 1 })}
                  onClick={() => onSelect(at + 1)}
                >
                  {at + 1}
                </button>{" "}
                {passage.page === null
                  ? t("documents.ask.partShort", { number: passage.number })
                  : t("documents.ask.pageShort", { page: passage.page })}
              </td>
              <td>{ordinal(passage.ranks.words)}</td>
              <td>{ordinal(passage.ranks.meaning)}</td>
              <td>
                <Meter
                  percent={passage.coverage * 100}
                  label={`${t("documents.ask.fit")} ${formatPercent(passage.coverage * 100)}`}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {answer.others > 0 && <p className={classes.by}>{t("documents.ask.others", { count: answer.others })}</p>}
    </div>
  );
}

type SaveProps = { document: DocumentDetail; question: string; answer: Answer };

function SaveQuestion({ document, question, answer }: SaveProps) {
  const { t } = useTranslation();
  const add = useApiMutation(documents.addTestQuestion);
  const quote = answer.parts.find((part) => part.quote)?.quote;
  const passage = answer.passages[(quote?.passage ?? 1) - 1];
  const save = async () => {
    if (!passage) return;
    const expected = passage.text.slice(quote?.start ?? 0, Math.min(quote?.end ?? 200, (quote?.start ?? 0) + 500));
    await add.mutateAsync({ params: { id: document.id }, body: { question, expected } });
    toast.done(t("documents.ask.saved"));
  };
  return (
    <div>
      <Button
        variant="default"
        size="compact-md"
        leftSection={<IconFlask size={16} stroke={1.7} />}
        loading={add.isPending}
        disabled={add.isSuccess}
        onClick={() => void save()}
      >
        {t("documents.ask.save")}
      </Button>{" "}
      <span className={classes.by}>{t("documents.ask.savedHint")}</span>
    </div>
  );
}
