import { Button, Switch } from "@mantine/core";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { AnswerColumn } from "#web/chatbots/comparison/AnswerColumn.tsx";
import classes from "#web/chatbots/comparison/comparison.module.css";
import { markDifferences } from "#web/chatbots/comparison/markDifferences.ts";
import { TodayText } from "#web/chatbots/comparison/TodayText.tsx";
import { useComparison } from "#web/chatbots/comparison/useComparison.ts";
import { Dialog } from "#web/core/dialog/Dialog.tsx";
import { formatDateTime } from "#web/core/format/format.ts";
import { useIsPhone } from "#web/core/display/useIsPhone.ts";

type Props = { questionId: string; answerId: string | null; onClose: () => void };

/** The recorded answer to a question next to the answer of the currently published version. */
export function ComparisonDialog({ questionId, answerId, onClose }: Props) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const { state, ask, stop } = useComparison(questionId, answerId);
  const [hasMarks, setHasMarks] = useState(true);
  const { begin, answer, isRunning, failure } = state;
  const recorded = begin?.recorded ?? null;
  const marked = useMemo(
    () => (recorded && answer && answer.text !== "" ? markDifferences(recorded.text, answer.text) : null),
    [recorded, answer],
  );
  const marks = hasMarks ? marked : null;
  const isSame = marked !== null && [...marked.left, ...marked.right].every(({ isDifferent }) => !isDifferent);
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t("chatbots.compare.title")}
      size={1080}
      fullScreen={isPhone}
      closeOnClickOutside={false}
    >
      {begin && (
        <blockquote className={classes.question}>
          {begin.question}
          <footer>{t("chatbots.compare.askedAt", { when: formatDateTime(begin.askedAt) })}</footer>
        </blockquote>
      )}
      {failure && (
        <p className={classes.failure} role="alert">
          {failure}
        </p>
      )}
      {(begin || !failure) && (
        <div className={classes.columns}>
          <AnswerColumn
            title={t("chatbots.compare.recorded")}
            answer={recorded}
            pieces={marks?.left ?? null}
            empty={begin && !recorded ? t("chatbots.compare.noRecorded") : null}
          />
          <AnswerColumn
            title={begin ? t("chatbots.compare.todayOf", { name: begin.chatbot }) : t("chatbots.compare.today")}
            answer={answer}
            pieces={marks?.right ?? null}
            empty={!answer && <TodayText state={state} />}
          />
        </div>
      )}
      {isSame && <p className={classes.note}>{t("chatbots.compare.same")}</p>}
      <div className={classes.tools}>
        <Switch
          label={t("chatbots.compare.marks")}
          checked={hasMarks}
          disabled={!marked}
          onChange={(event) => setHasMarks(event.currentTarget.checked)}
        />
        {isRunning ? (
          <Button variant="default" onClick={stop}>
            {t("chatbots.compare.stop")}
          </Button>
        ) : (
          <Button variant="default" onClick={() => void ask()}>
            {t("chatbots.compare.askAgain")}
          </Button>
        )}
      </div>
      {begin && (
        <p className={classes.note}>
          {[
            begin.hasValues && answer?.connector && t("chatbots.compare.withValues"),
            t("chatbots.compare.noTrace"),
            answer?.connector && t("chatbots.compare.called"),
            t(begin.hasValues ? "chatbots.compare.auditedLearner" : "chatbots.compare.audited"),
          ]
            .filter(Boolean)
            .join(" ")}
        </p>
      )}
    </Dialog>
  );
}
