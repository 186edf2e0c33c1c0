import { useSuspenseQuery } from "@tanstack/react-query";
import { Fragment, type JSX, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useParams, useSearchParams } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import classes from "#web/documents/documents.module.css";
import type { TextBlock } from "#shared/documents/documentVersions.ts";
import { documents } from "#shared/documents/documents.ts";

const HEADINGS = ["p", "h2", "h3", "h4", "h4", "h4", "h4"] as const;

/** The text of a version by page; a citation links to its highlighted place. */
export function DocumentTextPage() {
  const { t } = useTranslation();
  const { id = "", number = "" } = useParams();
  const [params] = useSearchParams();
  const { data } = useSuspenseQuery(queryFor(documents.text, { params: { id, number: Number(number) } }));
  const from = Number(params.get("from") ?? -1);
  const to = Number(params.get("to") ?? -1);
  const place = useRef<HTMLElement>(null);
  useEffect(() => place.current?.scrollIntoView({ block: "center" }), [from, to]);
  const first = data.blocks.find((block) => Math.max(block.from, from) < Math.min(block.to, to));
  const textOf = (block: TextBlock) => {
    const start = Math.max(block.from, from);
    const end = Math.min(block.to, to);
    if (start >= end) return data.text.slice(block.from, block.to);
    const target = block === first ? { ref: place } : {};
    return (
      <>
        {data.text.slice(block.from, start)}
        <mark className={classes.quote} {...target}>
          {data.text.slice(start, end)}
        </mark>
        {data.text.slice(end, block.to)}
      </>
    );
  };
  return (
    <>
      <PageHead
        title={data.title}
        line={t("documents.viewer.facts", { name: data.name, number })}
        parent={{ to: `/admin/documents/${id}`, label: data.title }}
      />
      <article className={classes.text}>
        {data.blocks.length === 0 && <p>{t("documents.viewer.empty")}</p>}
        {data.blocks.map((block, at) => {
          const Tag = (HEADINGS[block.level] ?? "p") as keyof Pick<JSX.IntrinsicElements, "p" | "h2" | "h3" | "h4">;
          const isNewPage = block.page !== null && block.page !== data.blocks[at - 1]?.page;
          return (
            <Fragment key={block.from}>
              {isNewPage && <div className={classes.pageMark}>{t("documents.viewer.page", { page: block.page })}</div>}
              <Tag>{textOf(block)}</Tag>
            </Fragment>
          );
        })}
      </article>
    </>
  );
}
