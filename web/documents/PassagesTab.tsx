import { Button, SegmentedControl, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { Pill } from "#web/core/display/Pill.tsx";
import { formatNumber } from "#web/core/format/format.ts";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { SkeletonRows } from "#web/core/layout/PageSkeleton.tsx";
import { AskPanel } from "#web/documents/AskPanel.tsx";
import classes from "#web/documents/documents.module.css";
import { type Answer, type DocumentDetail, documents, type PassageRow } from "#shared/documents/documents.ts";

const SIZE = 25;

/** The passages of a document, in order or as found by a question, next to the questions. */
export function PassagesTab({ document }: { document: DocumentDetail }) {
  const { t } = useTranslation();
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [order, setOrder] = useState<"found" | "pages">("pages");
  const [selected, setSelected] = useState<number | null>(null);
  const [typed, setTyped] = useState("");
  const [q] = useDebouncedValue(typed.trim(), 200);
  const [page, setPage] = useState(1);
  const [params, setParams] = useSearchParams();
  const showsOrders = params.get("orders") === "yes";
  const { data } = useQuery(
    pagedQueryFor(documents.passages, {
      params: { id: document.id },
      query: { page, size: SIZE, ...(q && { q }), ...(showsOrders && { orders: "yes" as const }) },
    }),
  );
  const showsFound = answer !== null && order === "found" && q === "";
  const total = data?.total ?? 0;
  const isUnread = data && total === 0 && !q;
  const shown: (PassageRow & { givesOrders?: boolean })[] = showsFound ? answer.passages : (data?.items ?? []);
  const used = new Map(answer?.passages.map((passage, at) => [passage.id, at + 1]) ?? []);
  const quotes = answer?.parts.flatMap(({ quote }) => quote ?? []) ?? [];
  return (
    <div className={classes.split}>
      <div>
        <div className={classes.tools}>
          <TextInput
            aria-label={t("documents.passageList.find")}
            placeholder={t("documents.passageList.find")}
            leftSection={<IconSearch size={18} stroke={1.7} />}
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              setPage(1);
            }}
            maxLength={200}
            w={260}
          />
          {showsOrders && (
            <Button variant="default" onClick={() => setParams({}, { preventScrollReset: true })}>
              {t("documents.orders.all")}
            </Button>
          )}
          {answer && (
            <SegmentedControl
              aria-label={t("documents.passageList.order")}
              value={showsFound ? "found" : "pages"}
              onChange={(next) => {
                setOrder(next as typeof order);
                setTyped("");
              }}
              data={[
                { value: "found", label: t("documents.passageList.found") },
                { value: "pages", label: t("documents.passageList.inOrder") },
              ]}
            />
          )}
        </div>
        {!data && <SkeletonRows rows={6} />}
        {isUnread && <EmptyState title={t("documents.passageList.none")} text={t("documents.passageList.noneText")} />}
        {data && total === 0 && q && <p>{t("documents.passageList.noMatch")}</p>}
        <ul className={classes.passages}>
          {shown.map((passage) => (
            <PassageItem
              key={passage.id}
              document={document}
              passage={passage}
              number={used.get(passage.id) ?? null}
              isSelected={selected !== null && used.get(passage.id) === selected}
              quotes={quotes.filter(({ passage: number }) => number === used.get(passage.id))}
            />
          ))}
        </ul>
        {!showsFound && total > SIZE && (
          <div className={classes.pager}>
            {t("documents.passageList.range", {
              from: formatNumber((page - 1) * SIZE + 1),
              to: formatNumber(Math.min(page * SIZE, total)),
              total: formatNumber(total),
            })}
            <Button.Group>
              <Button size="compact-sm" variant="default" disabled={page === 1} onClick={() => setPage(page - 1)}>
                {t("documents.passageList.previous")}
              </Button>
              <Button
                size="compact-sm"
                variant="default"
                disabled={page * SIZE >= total}
                onClick={() => setPage(page + 1)}
              >
                {t("documents.passageList.next")}
              </Button>
            </Button.Group>
          </div>
        )}
      </div>
      <AskPanel
        document={document}
        answer={answer}
        selected={selected}
        onSelect={(number) => {
          setSelected(number);
          setOrder("found");
          setTyped("");
        }}
        onAnswer={(next) => {
          setAnswer(next);
          setOrder("found");
          setSelected(next?.parts.find(({ quote }) => quote)?.quote?.passage ?? null);
        }}
      />
    </div>
  );
}

type ItemProps = {
  document: DocumentDetail;
  passage: PassageRow & { givesOrders?: boolean };
  /** Its number in the answer. */
  number: number | null;
  isSelected: boolean;
  quotes: { start: number; end: number }[];
};

function PassageItem({ document, passage, number, isSelected, quotes }: ItemProps) {
  const { t } = useTranslation();
  const { text, heading, page, pageTo, charFrom, charTo } = passage;
  const version = (document.live ?? document.latest).number;
  const [quote] = quotes;
  const from = charFrom + (quote?.start ?? 0);
  const to = quote ? charFrom + quote.end : charTo;
  const isSeveral = pageTo && pageTo !== page;
  let where = t("documents.ask.partShort", { number: passage.number });
  if (page !== null && isSeveral) where = t("documents.passageList.pageRange", { page, to: pageTo });
  else if (page !== null) where = t("documents.passageList.page", { page });
  return (
    <li className={classes.passage} data-selected={isSelected || undefined}>
      {number !== null && (
        <span className={classes.number} data-selected={isSelected || undefined}>
          {number}
        </span>
      )}
      <div className={classes.passageHead}>
        <span>
          {heading.split(" › ").at(-1)} {passage.givesOrders && <Pill tone="warn">{t("documents.orders.mark")}</Pill>}
        </span>
        <Link to={`/admin/documents/${document.id}/versions/${version}?from=${from}&to=${to}`}>{where}</Link>
      </div>
      <p>{marked(text, quotes)}</p>
    </li>
  );
}

function marked(text: string, quotes: { start: number; end: number }[]) {
  const parts = [];
  let at = 0;
  for (const { start, end } of quotes.toSorted((a, b) => a.start - b.start)) {
    // A language model cites whole passages, so no part of one is highlighted.
    if (start < at || end - start === text.length) continue;
    parts.push(text.slice(at, start));
    parts.push(
      <mark key={start} className={classes.quote}>
        {text.slice(start, end)}
      </mark>,
    );
    at = end;
  }
  parts.push(text.slice(at));
  return parts;
}
