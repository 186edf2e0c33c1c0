import { SegmentedControl } from "@mantine/core";
import type { Editor } from "@tiptap/core";
import { NodeSelection } from "@tiptap/pm/state";
import { useEditorState } from "@tiptap/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useOpenQuiz } from "#web/lessons/author/authorContext.ts";
import { selectedBlock } from "#web/lessons/author/editing/blockCommands.ts";
import { kindOfNode } from "#web/lessons/author/editing/blockKinds.ts";
import { GapSettings, KindSettings, VariableSettings } from "#web/lessons/author/settings/kindSettings.tsx";
import classes from "#web/lessons/author/settings/settings.module.css";
import { ShowWhen } from "#web/lessons/author/settings/ShowWhen.tsx";

const parts = ["block", "lesson", "checks"] as const;
export type AsidePart = (typeof parts)[number];
type Props = {
  editor: Editor | null;
  /** A package has no blocks. */
  isPackage: boolean;
  lesson: ReactNode;
  checks: ReactNode;
  problems: number;
  part: AsidePart;
  onPart: (part: AsidePart) => void;
};

/** The settings of the selected block, those of the lesson, and what to do before publishing. */
export function Aside({ editor, isPackage, lesson, checks, problems, part, onPart }: Props) {
  const { t } = useTranslation();
  if (isPackage)
    return (
      <aside className={classes.aside} aria-label={t("lessonDrafts.settings.title")}>
        <h2 className={classes.title}>{t("lessonDrafts.settings.lesson")}</h2>
        {lesson}
      </aside>
    );
  return (
    <aside className={classes.aside} aria-label={t("lessonDrafts.settings.title")}>
      <SegmentedControl
        fullWidth
        size="xs"
        value={part}
        onChange={(value) => onPart(value as AsidePart)}
        aria-label={t("lessonDrafts.settings.title")}
        data={parts.map((value) => ({
          value,
          label:
            value === "checks" && problems > 0
              ? t("lessonDrafts.settings.checksOf", { count: problems })
              : t(`lessonDrafts.settings.${value}`),
        }))}
      />
      {part === "block" && editor && <BlockPart editor={editor} />}
      {part === "lesson" && (
        <>
          <h2 className={classes.title}>{t("lessonDrafts.settings.lesson")}</h2>
          {lesson}
        </>
      )}
      {part === "checks" && (
        <section className={classes.part}>
          <h2 className={classes.title}>{t("lessonDrafts.settings.beforePublish")}</h2>
          {checks}
        </section>
      )}
    </aside>
  );
}

function BlockPart({ editor }: { editor: Editor }) {
  const { t } = useTranslation();
  const quiz = useOpenQuiz();
  const block = useEditorState({
    editor,
    selector: ({ editor: current }) => {
      const found = selectedBlock(current.state);
      const { selection } = current.state;
      const inline = selection instanceof NodeSelection && selection.node.isInline ? selection.node : null;
      return found && { ...found, inline, at: selection.from };
    },
    equalityFn: (a, b) => a?.node === b?.node && a?.pos === b?.pos && a?.inline === b?.inline && a?.at === b?.at,
  });
  if (!block) return <p className={classes.dim}>{t("lessonDrafts.settings.none")}</p>;
  const { node, pos, inline, at } = block;
  const id = String(node.attrs["id"]);
  if (inline) {
    const of = { editor, node: inline, pos: at };
    return (
      <section className={classes.part}>
        <h2 className={classes.title}>{t(`lessonDrafts.settings.inline.${inline.type.name as "gap"}`)}</h2>
        {inline.type.name === "gap" ? <GapSettings of={of} /> : <VariableSettings of={of} />}
      </section>
    );
  }
  const of = { editor, node, pos };
  return (
    <>
      <section key={id} className={classes.part}>
        <h2 className={classes.title}>{t(`lessonDrafts.blocks.${kindOfNode(node)}.name`)}</h2>
        <KindSettings of={of} />
      </section>
      {!(quiz && node.type.name === "question") && <ShowWhen of={of} />}
    </>
  );
}
