import { Button } from "@mantine/core";
import { IconArrowBackUp } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";
import { BlockDiff, Changes } from "#web/lessons/author/versions/BlockDiff.tsx";
import type { Restoring } from "#web/lessons/author/versions/useRestore.ts";
import classes from "#web/lessons/author/versions/versions.module.css";
import { type BlockChange, lessonVersions, type Side } from "#shared/lessons/versions/versions.ts";
import { variables as variableContracts } from "#shared/variables/variables.ts";

type Props = {
  courseId: string;
  lessonId: string;
  language: string;
  sides: { from: Side; to: Side };
  nameOf: (side: Side) => string;
  /** Null where nothing can be restored: the draft is not compared. */
  onRestore: ((restoring: Restoring) => void) | null;
};

/** What changed in a lesson, block by block. */
export function LessonDiff({ courseId, lessonId, language, sides, nameOf, onRestore }: Props) {
  const { t } = useTranslation();
  const query = { ...sides, lesson: lessonId };
  const { data, error, refetch } = useQuery({
    ...queryFor(lessonVersions.compareLesson, { params: { id: courseId }, query }),
    staleTime: 0,
  });
  const { data: variables } = useQuery(queryFor(variableContracts.list, { query: { size: 200 } }));
  const names = useMemo(
    () => ({
      variables: new Map((variables?.items ?? []).map(({ key, label }) => [key, label])),
      questions: new Map(Object.entries(data?.names ?? {})),
    }),
    [variables, data],
  );
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <PageSkeleton />;
  const { titles, unreadable, isPackage, settings, blocks, updates } = data;
  const title = titles.to ?? titles.from ?? "";
  const isSame = titles.from !== null && titles.to !== null && settings.length === 0 && blocks.every(isUnchanged);
  const seen = updates === null ? undefined : { [lessonId]: updates };
  const canRestore = onRestore !== null && titles.from !== null && !unreadable.includes("from");
  return (
    <section aria-labelledby="lesson-diff" className={classes.diff}>
      <div className={classes.diffHead}>
        <h2 id="lesson-diff" className={classes.lessonTitle} tabIndex={-1}>
          {title}
        </h2>
        {canRestore && !isSame && (
          <Button
            variant="default"
            leftSection={<IconArrowBackUp size={18} stroke={1.7} aria-hidden />}
            onClick={() => onRestore({ scope: "lesson", lessonId, title: titles.from ?? "", seen })}
          >
            {t("lessonVersions.restore.lesson")}
          </Button>
        )}
      </div>
      {unreadable.map((side) => (
        <p key={side} className={classes.answer}>
          {t("lessonVersions.unreadable", { side: nameOf(sides[side]) })}
        </p>
      ))}
      {isPackage && settings.length === 0 && <p className={classes.dim}>{t("lessonVersions.package")}</p>}
      {!isPackage && isSame && unreadable.length === 0 && (
        <p className={classes.dim}>{t("lessonVersions.sameLesson")}</p>
      )}
      {settings.length > 0 && (
        <div className={classes.settings}>
          <h3 className={classes.kind}>{t("lessonVersions.settings")}</h3>
          <Changes changes={settings} names={names} language={language} />
        </div>
      )}
      <ol className={classes.blocks}>
        {groupUnchanged(blocks).map((group) =>
          Array.isArray(group) ? (
            <Unchanged key={group[0]!.id} blocks={group} language={language} />
          ) : (
            <BlockDiff
              key={group.id}
              block={group}
              names={names}
              language={language}
              onRestore={
                canRestore && titles.to !== null
                  ? () => onRestore({ scope: "block", lessonId, blockId: group.id, title, seen })
                  : null
              }
            />
          ),
        )}
      </ol>
    </section>
  );
}

const isUnchanged = ({ state, isMoved }: BlockChange) => state === "same" && !isMoved;

/** Neighbours that are the same, together. */
function groupUnchanged(blocks: BlockChange[]) {
  const groups: (BlockChange | BlockChange[])[] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (!isUnchanged(block)) groups.push(block);
    else if (Array.isArray(last)) last.push(block);
    else groups.push([block]);
  }
  return groups;
}

function Unchanged({ blocks, language }: { blocks: BlockChange[]; language: string }) {
  const { t } = useTranslation();
  return (
    <li className={classes.unchanged}>
      <details>
        <summary>{t("lessonVersions.unchangedBlocks", { count: blocks.length })}</summary>
        <ul lang={language}>{blocks.map(({ id, summary }) => summary && <li key={id}>{summary}</li>)}</ul>
      </details>
    </li>
  );
}
