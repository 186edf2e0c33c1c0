import { IconMessageChatbot, IconSignature, IconWand } from "@tabler/icons-react";
import { NodeViewContent, type NodeViewProps, NodeViewWrapper } from "@tiptap/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useAuthor } from "#web/lessons/author/authorContext.ts";
import classes from "#web/lessons/author/nodes/samples.module.css";
import { lessonsOf } from "#shared/lessons/outline.ts";

type Attributes = Record<string, unknown>;
const textOf = (value: unknown) => (typeof value === "string" ? value : "");

/** A block that learners use, with its text to write and its control as they see it. */
export function SampleView({ node }: NodeViewProps) {
  const name = node.type.name;
  return (
    <NodeViewWrapper className={classes.sample} data-kind={name}>
      {name === "chatbot" && <Mark icon={<IconMessageChatbot size={22} stroke={1.6} />} />}
      {name === "prompt" && <Mark icon={<IconWand size={20} stroke={1.6} />} />}
      {name === "confirmation" && <Mark icon={<IconSignature size={22} stroke={1.6} />} />}
      <div className={classes.words}>
        <NodeViewContent className={classes.text} />
        <div contentEditable={false}>
          <Control name={name} attributes={node.attrs} />
        </div>
      </div>
    </NodeViewWrapper>
  );
}

const Mark = ({ icon }: { icon: ReactNode }) => (
  <span contentEditable={false} className={classes.icon} aria-hidden>
    {icon}
  </span>
);

function Control({ name, attributes }: { name: string; attributes: Attributes }) {
  const { t } = useTranslation();
  const { draft } = useAuthor();
  if (name === "reflection") return <div className={classes.answer}>{t("lessonDrafts.sample.answer")}</div>;
  if (name === "rating") return <Rating attributes={attributes} />;
  if (name === "slider") {
    const [min, max] = [Number(attributes["min"]), Number(attributes["max"])];
    const unit = textOf(attributes["unit"]);
    return (
      <div className={classes.slider}>
        <span className={classes.track} aria-hidden />
        <span>{`${min} ${unit}`}</span>
        <span>{`${max} ${unit}`}</span>
      </div>
    );
  }
  if (name === "confirmation")
    return <p className={classes.meaning}>{textOf(attributes["meaning"]) || t("lessonDrafts.sample.noMeaning")}</p>;
  if (name === "button") {
    const target = attributes["target"] as { kind: "page"; url: string } | { kind: "lesson"; lessonId: string } | null;
    if (!target) return <p className={classes.note}>{t("lessonDrafts.sample.noTarget")}</p>;
    const lesson =
      target.kind === "lesson" ? lessonsOf(draft).find(({ id }) => id === target.lessonId)?.title : undefined;
    return (
      <p className={classes.note}>
        {target.kind === "page" ? target.url : (lesson ?? t("lessonDrafts.sample.noLesson"))}
      </p>
    );
  }
  return null;
}

function Rating({ attributes }: { attributes: Attributes }) {
  const steps = Math.min(10, Math.max(2, Number(attributes["steps"]) || 5));
  return (
    <>
      <div className={classes.steps}>
        {Array.from({ length: steps }, (_, n) => (
          <span key={n}>{n + 1}</span>
        ))}
      </div>
      <div className={classes.ends}>
        <span>{textOf(attributes["lowLabel"])}</span>
        <span>{textOf(attributes["highLabel"])}</span>
      </div>
    </>
  );
}
