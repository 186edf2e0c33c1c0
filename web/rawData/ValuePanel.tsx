import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "#web/core/api/api.ts";
import { isStatus } from "#web/core/http/http.ts";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { SkeletonRows } from "#web/core/layout/PageSkeleton.tsx";
import { SidePanel } from "#web/core/layout/SidePanel.tsx";
import { CorrectDialog } from "#web/rawData/CorrectDialog.tsx";
import { HistoryEntry } from "#web/rawData/HistoryEntry.tsx";
import classes from "#web/rawData/rawData.module.css";
import { useValueDeletion } from "#web/rawData/useValueDeletion.ts";
import { Masked } from "#web/rawData/ValueCell.tsx";
import type { ValueTarget } from "#web/rawData/valueTarget.ts";
import { Trend } from "#web/variables/statistics/Trend.tsx";
import { valueText } from "#web/variables/valueText.ts";
import { rawData, type RawValue, type ValueHistory } from "#shared/rawData/rawData.ts";

/** Values per request. */
const PAGE_SIZE = 50;
/** Longer values are shown as text, not as a figure. */
const MAX_FIGURE_CHARS = 18;

type Props = {
  target: ValueTarget;
  onChange: (target: ValueTarget) => void;
  onClose: () => void;
};

/** The current value of a subject and its history, whose values can be corrected and deleted. */
export function ValuePanel({ target, onChange, onClose }: Props) {
  const { t } = useTranslation();
  const [corrected, setCorrected] = useState<RawValue | null>(null);
  const remove = useValueDeletion();
  const query = { variableId: target.variableId, ...target.subject };
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [rawData.history.domain, rawData.history.path, "pages", query],
    queryFn: ({ pageParam, signal }) =>
      call(rawData.history, { query: { ...query, page: pageParam, size: PAGE_SIZE } }, signal),
    initialPageParam: 1,
    getNextPageParam: (last: ValueHistory, pages) => (pages.length * PAGE_SIZE < last.total ? pages.length + 1 : null),
  });
  const history = data?.pages[0];
  const values = data?.pages.flatMap((page) => page.values) ?? [];
  const chosen = values.find(({ id }) => id === target.valueId) ?? values.find(isChangeable) ?? values[0];
  const isGone = isStatus(error, 404);
  return (
    <SidePanel
      title={target.label}
      line={target.line}
      onClose={onClose}
      footer={
        chosen && (
          <>
            <Button variant="default" disabled={!isChangeable(chosen)} onClick={() => setCorrected(chosen)}>
              {t("rawData.correct.action")}
            </Button>
            <Button variant="default" disabled={chosen.deletedAt !== null} onClick={() => remove(chosen)}>
              {t("rawData.remove.action")}
            </Button>
          </>
        )
      }
    >
      {isGone && <EmptyState title={t("rawData.history.none")} text={t("rawData.history.noneText")} />}
      {error && !isGone && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!history && !error && <SkeletonRows rows={6} />}
      {history && !isGone && (
        <>
          <Now history={history} values={values} />
          <div className={classes.historyHead}>
            <h3>{t("rawData.history.title")}</h3>
            <span>{t("rawData.history.count", { count: history.total })}</span>
          </div>
          <ol className={classes.history}>
            {values.map((value) => (
              <HistoryEntry
                key={value.id}
                value={value}
                chosen={value === chosen}
                onChoose={() => onChange({ ...target, valueId: value.id })}
              />
            ))}
          </ol>
          {hasNextPage && (
            <Button variant="subtle" mt="sm" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {t("rawData.history.older", { count: Math.min(PAGE_SIZE, history.total - values.length) })}
            </Button>
          )}
        </>
      )}
      {corrected && history && (
        <CorrectDialog
          value={corrected}
          rules={history}
          onClose={() => setCorrected(null)}
          onDone={(valueId) => onChange({ ...target, valueId })}
        />
      )}
    </SidePanel>
  );
}

const isChangeable = ({ corrected, deletedAt, preview }: RawValue) => !corrected && deletedAt === null && !preview;

function Now({ history, values }: { history: ValueHistory; values: RawValue[] }) {
  const { t } = useTranslation();
  const text = valueText(history.current, history, t);
  const counted = values.filter((one) => isChangeable(one) && one.refusal === null);
  const numbers = counted.flatMap(({ value }) => (typeof value === "number" ? [value] : [])).toReversed();
  return (
    <div className={classes.now}>
      <div>
        <div className={classes.nowLabel}>
          {t("rawData.history.now")}
          {history.writeMode !== "last" && `, ${t(`rawData.history.modes.${history.writeMode}`)}`}
        </div>
        <div className={classes.nowValue} data-long={text.length > MAX_FIGURE_CHARS || undefined}>
          {history.privacy === "sensitive" ? <Masked /> : text || "–"}
        </div>
      </div>
      <Trend values={numbers} width={180} height={40} />
    </div>
  );
}
