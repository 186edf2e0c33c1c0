import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import classes from "#web/analysis/clusters.module.css";
import { formatDateTime } from "#web/core/format/format.ts";
import type { QuestionClusterDetail } from "#shared/analysis/questionClusters.ts";

type Answer = NonNullable<QuestionClusterDetail["answer"]>;

/** The document with the answer, whether its test question finds it, and why the chatbot does not use it yet. */
export function ClusterAnswerState({ cluster, answer }: { cluster: QuestionClusterDetail; answer: Answer }) {
  const { t } = useTranslation();
  const { title, documentId, by, at, isUsed } = answer;
  return (
    <section className={classes.answer}>
      <h3 className={classes.heading}>{t("analysis.unanswered.answer")}</h3>
      <p>
        {t("analysis.unanswered.inDocument", {
          title,
          by: by ?? t("analysis.unanswered.someone"),
          when: formatDateTime(at),
        })}
      </p>
      <TestLine answer={answer} />
      {!isUsed && <p className={classes.warning}>{t("analysis.unanswered.unused", { chatbot: cluster.chatbot })}</p>}
      <p className={classes.links}>
        <Link to={`/admin/documents/${documentId}?tab=questions`}>{t("analysis.unanswered.toTests")}</Link>
        {!isUsed && <Link to={`/admin/chatbots/edit/${cluster.chatbotId}`}>{t("analysis.unanswered.toChatbot")}</Link>}
      </p>
    </section>
  );
}

function TestLine({ answer: { state, testRank } }: { answer: Answer }) {
  const { t } = useTranslation();
  if (state === "failed" || state === "held")
    return (
      <p className={classes.warning}>
        {t(state === "held" ? "analysis.unanswered.held" : "analysis.unanswered.failedVersion")}
      </p>
    );
  if (state !== null && state !== "ready" && state !== "replaced") return <p>{t("analysis.unanswered.reading")}</p>;
  if (testRank === undefined) return null;
  if (testRank === null) return <p className={classes.warning}>{t("analysis.unanswered.notFound")}</p>;
  return <p>{t("analysis.unanswered.found", { rank: testRank })}</p>;
}
