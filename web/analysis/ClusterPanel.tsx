import { Anchor, Button, Select, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ClusterAnswerState } from "#web/analysis/ClusterAnswerState.tsx";
import classes from "#web/analysis/clusters.module.css";
import { PassageDialog } from "#web/analysis/PassageDialog.tsx";
import { useOpenConversation } from "#web/analysis/useOpenConversation.ts";
import { WriteAnswerDialog } from "#web/analysis/WriteAnswerDialog.tsx";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { Pill } from "#web/core/display/Pill.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { formatDateTime } from "#web/core/format/format.ts";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { SidePanel } from "#web/core/layout/SidePanel.tsx";
import { toast } from "#web/core/toast/toast.ts";
import type { VersionState } from "#shared/documents/documentVersions.ts";
import { LISTED_QUESTIONS, type QuestionClusterDetail, questionClusters } from "#shared/analysis/questionClusters.ts";

const REFRESH_MS = 2000;
const settled: VersionState[] = ["ready", "held", "failed", "replaced"];
const isUnderWay = (state: VersionState | null | undefined) => state != null && !settled.includes(state);

type Admin = { id: string; name: string; email: string };
type Props = { id: string; admins: Admin[]; onClose: () => void };

/** A group of questions with its owner, its answer and the wordings. */
export function ClusterPanel({ id, admins, onClose }: Props) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    ...queryFor(questionClusters.get, { params: { id } }),
    // Until then, the version with the answer is being read, indexed and tested.
    refetchInterval: ({ state }) => (isUnderWay(state.data?.answer?.state) ? REFRESH_MS : false),
  });
  const [dialog, setDialog] = useState<"write" | "pick" | null>(null);
  const update = useApiMutation(questionClusters.update);
  const setStatus = (status: "open" | "dismissed") =>
    void update.mutateAsync({ params: { id }, body: { status } }).then(
      () => toast.done(t(status === "open" ? "analysis.unanswered.reopened" : "analysis.unanswered.dismissed")),
      () => {},
    );
  const isOpen = data?.status === "open" || data?.status === "assigned";
  return (
    <SidePanel
      title={data ? data.question || t("analysis.unanswered.deleted") : t("analysis.unanswered.question")}
      line={
        data &&
        t("analysis.unanswered.line", {
          chatbot: data.chatbot,
          times: t("analysis.unanswered.timesCount", { count: data.times }),
          people: t("analysis.unanswered.people", { count: data.people }),
        })
      }
      onClose={onClose}
      footer={
        data && (
          <>
            <Button px="md" variant={isOpen ? "filled" : "default"} onClick={() => setDialog("write")}>
              {t("analysis.unanswered.write")}
            </Button>
            <Button px="md" variant="default" onClick={() => setDialog("pick")}>
              {t("analysis.unanswered.pick")}
            </Button>
          </>
        )
      }
    >
      {error && <ErrorPanel error={error} title={t("analysis.unanswered.failed")} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={240} />}
      {data && (
        <>
          {data.reopenedAt && (
            <p className={classes.again}>
              <Pill tone="warn">{t("analysis.unanswered.seenAgain")}</Pill>{" "}
              {t("analysis.unanswered.seenAgainText", { when: formatDateTime(data.reopenedAt) })}
            </p>
          )}
          {data.answer && <ClusterAnswerState cluster={data} answer={data.answer} />}
          <Owner cluster={data} admins={admins} />
          <Button
            variant="subtle"
            size="compact-sm"
            mt="xs"
            loading={update.isPending}
            onClick={() => setStatus(isOpen ? "dismissed" : "open")}
          >
            {t(isOpen ? "analysis.unanswered.dismiss" : "analysis.unanswered.reopen")}
          </Button>
          <Occurrences cluster={data} />
          {dialog === "write" && <WriteAnswerDialog cluster={data} onClose={() => setDialog(null)} />}
          {dialog === "pick" && <PassageDialog cluster={data} onClose={() => setDialog(null)} />}
        </>
      )}
    </SidePanel>
  );
}

function Owner({ cluster: { id, owner }, admins }: { cluster: QuestionClusterDetail; admins: Admin[] }) {
  const { t } = useTranslation();
  const update = useApiMutation(questionClusters.update);
  const choices = new Map(admins.map((admin) => [admin.id, admin.name || admin.email]));
  if (owner) choices.set(owner.id, owner.name);
  const save = (ownerId: string | null) =>
    void update.mutateAsync({ params: { id }, body: { ownerId } }).then(
      () => toast.done(t("analysis.unanswered.assigned")),
      () => {},
    );
  return (
    <Select
      label={t("analysis.unanswered.owner")}
      description={t("analysis.unanswered.ownerHint")}
      placeholder={t("analysis.unanswered.nobody")}
      data={[...choices].map(([value, label]) => ({ value, label }))}
      value={owner?.id ?? null}
      onChange={save}
      disabled={update.isPending}
      clearable
      searchable
    />
  );
}

/** The questions as they were asked, without names. */
function Occurrences({ cluster: { asked, times, chatbotId } }: { cluster: QuestionClusterDetail }) {
  const { t } = useTranslation();
  const open = useOpenConversation();
  return (
    <section>
      <h3 className={classes.heading}>
        {t("analysis.unanswered.asked")}
        {asked.length === LISTED_QUESTIONS && times > LISTED_QUESTIONS && (
          <span className={classes.dim}>
            {t("analysis.unanswered.askedLatest", { count: LISTED_QUESTIONS, total: times })}
          </span>
        )}
      </h3>
      <p className={classes.dim}>
        {t(asked.length > 0 ? "analysis.unanswered.openHint" : "analysis.unanswered.noAsked")}
      </p>
      <ul className={classes.asked}>
        {asked.map(({ turnId, conversationId, text, at }) => (
          <li key={turnId}>
            <div>
              {text}
              <span className={classes.dim}>
                <Time at={at} />
              </span>
            </div>
            <Anchor
              component="button"
              type="button"
              onClick={() => open(`/admin/chatbots/edit/${chatbotId}?tab=conversations&conversation=${conversationId}`)}
            >
              {t("analysis.unanswered.open")}
            </Anchor>
          </li>
        ))}
      </ul>
    </section>
  );
}
