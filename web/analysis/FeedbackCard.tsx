import { Anchor, Button, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import classes from "#web/analysis/review.module.css";
import { ScoreForm } from "#web/analysis/ScoreForm.tsx";
import { showTurn } from "#web/analysis/showTurn.ts";
import { useApiMutation } from "#web/core/api/api.ts";
import { formatDateTime, formatNumber } from "#web/core/format/format.ts";
import { toast } from "#web/core/toast/toast.ts";
import { analysis } from "#shared/analysis/analysis.ts";
import type { CriterionScore, Feedback, Review } from "#shared/analysis/reviews.ts";

const LEVELS = [1, 2, 3, 4, 5];
type Props = { review: Review; isOwn: boolean };

/** Figures, captured values and, if a language model is connected, its feedback with the quoted messages. */
export function FeedbackCard({ review, isOwn }: Props) {
  const { t } = useTranslation();
  const { counts, values, feedback, canHaveFeedback, scoring } = review;
  const isUnscored = scoring !== null && scoring.own === null;
  const give = useApiMutation(analysis.giveFeedback);
  const ask = () => void give.mutateAsync({ params: { id: review.id } }).catch(() => {});
  return (
    <aside className={classes.card} aria-label={t("analysis.review.feedback")}>
      <div className={classes.cardHead}>
        <h2>{t(feedback ? "analysis.review.feedback" : "analysis.review.counts")}</h2>
        {feedback && (
          <span className={classes.dim}>
            {t("analysis.review.by", { model: feedback.model, when: formatDateTime(feedback.createdAt) })}
          </span>
        )}
      </div>
      {feedback && <FeedbackText feedback={feedback} ownScores={scoring?.own ?? []} />}
      <dl className={classes.facts}>
        <dt>{t(isOwn ? "analysis.review.words" : "analysis.review.wordsOf")}</dt>
        <dd>{formatNumber(counts.words)}</dd>
        <dt>{t("analysis.review.answers")}</dt>
        <dd>{formatNumber(counts.answered)}</dd>
        <dt>{t("analysis.review.minutes")}</dt>
        <dd>{formatNumber(counts.minutes, 1)}</dd>
      </dl>
      {values.length > 0 && (
        <>
          <h3>{t("analysis.review.noted")}</h3>
          <dl className={classes.facts}>
            {values.flatMap(({ label, value, turnId }) => [
              <dt key={`${turnId} ${label} name`}>{label}</dt>,
              <dd key={`${turnId} ${label}`}>{value}</dd>,
            ])}
          </dl>
        </>
      )}
      {isUnscored && <ScoreForm id={review.id} scoring={scoring} />}
      {scoring?.own?.length === 0 && <p className={classes.dim}>{t("analysis.scoring.skipped")}</p>}
      {scoring?.own && (
        <p className={classes.dim}>
          <Anchor component={Link} to="/reports/conversation-analytics?tab=scores" size="sm">
            {t("analysis.scoring.toAgreement")}
          </Anchor>
        </p>
      )}
      {canHaveFeedback && !scoring?.isFeedbackHidden && (
        <Button mt="md" size="xs" variant={feedback ? "default" : "filled"} loading={give.isPending} onClick={ask}>
          {t(feedback ? "analysis.review.again" : "analysis.review.ask")}
        </Button>
      )}
      {!canHaveFeedback && !feedback && !scoring?.isFeedbackHidden && (
        <p className={classes.dim}>{t(isOwn ? "analysis.review.withoutFeedback" : "analysis.review.noModel")}</p>
      )}
      {feedback && <Objection review={review} feedback={feedback} isOwn={isOwn} />}
    </aside>
  );
}

type FeedbackProps = { feedback: Feedback; ownScores: CriterionScore[] };

function FeedbackText({ feedback: { summary, scores, wentWell, tryNext, dropped }, ownScores }: FeedbackProps) {
  const { t } = useTranslation();
  const points = [
    { title: t("analysis.review.wentWell"), list: wentWell },
    { title: t("analysis.review.tryNext"), list: tryNext },
  ];
  return (
    <>
      <p>{summary}</p>
      <dl className={classes.facts}>
        {scores.flatMap(({ id, name, value, turnIds: [first] }) => [
          <dt key={`${id} name`}>{name}</dt>,
          <dd key={id}>
            <button
              type="button"
              onClick={() => first && showTurn(first)}
              title={t("analysis.review.outOf", { value })}
            >
              <span className={classes.score} aria-hidden>
                {LEVELS.map((level) => (
                  <i key={level} data-on={level <= value || undefined} />
                ))}
              </span>{" "}
              {value}
            </button>
            <OwnScore score={ownScores.find((one) => one.id === id)} />
          </dd>,
        ])}
      </dl>
      {points.map(
        ({ title, list }) =>
          list.length > 0 && (
            <section key={title}>
              <h3>{title}</h3>
              <ul className={classes.points}>
                {list.map(({ text, quote, turnId }) => (
                  <li key={text}>
                    {text}
                    <q>{quote}</q>
                    <Button variant="subtle" size="compact-xs" onClick={() => showTurn(turnId)}>
                      {t("analysis.review.transcript")}
                    </Button>
                  </li>
                ))}
              </ul>
            </section>
          ),
      )}
      {dropped > 0 && <p className={classes.dim}>{t("analysis.review.dropped", { count: dropped })}</p>}
    </>
  );
}

function OwnScore({ score }: { score: CriterionScore | undefined }) {
  const { t } = useTranslation();
  return score ? <span className={classes.ownScore}>{t("analysis.scoring.yours", { value: score.value })}</span> : null;
}

function Objection({ review, feedback, isOwn }: Props & { feedback: Feedback }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState(feedback.objection);
  const object = useApiMutation(analysis.object);
  const save = () =>
    void object.mutateAsync({ params: { id: review.id }, body: { text } }).then(
      () => {
        setOpen(false);
        toast.done(t("analysis.review.saved"));
      },
      () => {},
    );
  return (
    <>
      {feedback.objection !== "" && !isOpen && (
        <p className={classes.note}>
          <strong>{t("analysis.review.yourNote")}</strong>
          <br />
          {feedback.objection}
        </p>
      )}
      {isOwn && !isOpen && (
        <p className={classes.dim}>
          {t("analysis.review.canBeWrong")}{" "}
          <Button variant="subtle" size="compact-sm" onClick={() => setOpen(true)}>
            {t("analysis.review.disagree")}
          </Button>
        </p>
      )}
      {isOpen && (
        <div>
          <Textarea
            mt="md"
            autosize
            minRows={2}
            maxLength={1000}
            label={t("analysis.review.disagreeLabel")}
            description={t("analysis.review.disagreeHint")}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Button mt="xs" size="xs" loading={object.isPending} onClick={save}>
            {t("analysis.review.save")}
          </Button>
        </div>
      )}
    </>
  );
}
