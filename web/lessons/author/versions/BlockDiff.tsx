import { Button } from "@mantine/core";
import { IconAlertTriangle, IconArrowBackUp } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Pill } from "#web/core/display/Pill.tsx";
import { formatDate } from "#web/core/format/format.ts";
import { changeText, fieldName, kindName } from "#web/lessons/author/versions/fieldTexts.ts";
import classes from "#web/lessons/author/versions/versions.module.css";
import type { BlockChange, FieldChange, Word } from "#shared/lessons/versions/versions.ts";

export const stateTones = { same: "idle", added: "ok", removed: "bad", changed: "warn", unfinished: "warn" } as const;
type Names = Parameters<typeof changeText>[1];
type Props = {
  block: BlockChange;
  names: Names;
  language: string;
  /** Without it, the block cannot be restored. */
  onRestore: (() => void) | null;
};

/** One block: what kind it is, what happened to it, and what differs in it. */
export function BlockDiff({ block, names, language, onRestore }: Props) {
  const { t } = useTranslation();
  const { kind, state, isMoved, summary, changes } = block;
  const title = kindName(kind, t);
  return (
    <li className={classes.block} data-state={state}>
      <div className={classes.blockHead}>
        <h3 className={classes.kind}>{title}</h3>
        {state !== "same" && <Pill tone={stateTones[state]}>{t(`lessonVersions.states.${state}`)}</Pill>}
        {isMoved && <Pill>{t("lessonVersions.moved")}</Pill>}
        {onRestore && state !== "added" && state !== "same" && (
          <Button
            variant="default"
            size="xs"
            className={classes.restore}
            leftSection={<IconArrowBackUp size={16} stroke={1.7} aria-hidden />}
            onClick={onRestore}
          >
            {t("lessonVersions.restore.block")}
            <span className="ly-hidden">: {summary || title}</span>
          </Button>
        )}
      </div>
      {state === "changed" && summary && !changes.some(({ words }) => words) && (
        <p className={classes.context} lang={language}>
          {summary}
        </p>
      )}
      <Changes changes={changes} names={names} language={language} />
      {state === "same" && isMoved && (
        <p className={classes.context}>
          <span lang={language}>{summary}</span> {t("lessonVersions.onlyMoved")}
        </p>
      )}
      {state === "unfinished" && <p className={classes.dim}>{t("lessonVersions.unfinishedText")}</p>}
      <WrittenBy block={block} />
    </li>
  );
}

function WrittenBy({ block: { writtenBy } }: Pick<Props, "block">) {
  const { t } = useTranslation();
  if (!writtenBy) return null;
  const day = formatDate(writtenBy.at);
  if (!writtenBy.isKnown) return <p className={classes.dim}>{t("lessonVersions.writtenBefore", { day })}</p>;
  return (
    <p className={classes.dim}>
      {writtenBy.name
        ? t("lessonVersions.writtenBy", { name: writtenBy.name, day })
        : t("lessonVersions.writtenByErased", { day })}
    </p>
  );
}

type ChangesProps = { changes: FieldChange[]; names: Names; language: string };
export function Changes({ changes, names, language }: ChangesProps) {
  const { t } = useTranslation();
  const texts = changes.filter(({ words }) => words);
  return changes.map((change, n) => {
    const { field, words, isFormat } = change;
    if (!words)
      return (
        <p key={`${field} ${n}`} className={field === "rightAnswer" ? classes.answer : classes.setting}>
          {field === "rightAnswer" && <IconAlertTriangle size={18} stroke={1.7} aria-hidden />}
          {changeText(change, names, t)}
        </p>
      );
    return (
      <div key={`${field} ${n}`} className={classes.textChange}>
        {(texts.length > 1 || field !== "text") && <p className={classes.field}>{fieldName(field, t)}</p>}
        <p className={classes.words} lang={language} dir="auto">
          <Words words={words} />
        </p>
        {isFormat && <p className={classes.dim}>{t("lessonVersions.formatOnly")}</p>}
      </div>
    );
  });
}

/** Changed words are struck or underlined, and said to be so. */
function Words({ words }: { words: Word[] }) {
  const { t } = useTranslation();
  return words.map(({ text, is }, n) => {
    if (is === "same") return text;
    const Tag = is === "removed" ? "del" : "ins";
    const isWhole = words.length === 1;
    return (
      <Tag key={`${n} ${is}`}>
        {!isWhole && (
          <span className="ly-hidden">
            {t(is === "removed" ? "lessonVersions.wasDeleted" : "lessonVersions.wasInserted")}
          </span>
        )}
        {text}
        {!isWhole && <span className="ly-hidden">{t("lessonVersions.endOfChange")}</span>}
      </Tag>
    );
  });
}
