import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import classes from "#web/lessons/author/scenario/graph.module.css";

export type StepBoxData = {
  place: string;
  name: string;
  tone: string | null;
  choices: number;
  /** Learners who came by; null before anybody has taken the scenario. */
  learners: number | null;
};

/** A step in the graph; endings are arches. */
export function StepBox({ data }: NodeProps<Node<StepBoxData>>) {
  const { t } = useTranslation();
  const { place, name, tone, choices, learners } = data;
  return (
    <div className={classes.box} data-ending={tone ?? undefined}>
      <Ends hasTarget hasSource={tone === null} />
      <p className={classes.place}>
        <span className={tone ? classes.tone : undefined} data-tone={tone ?? undefined}>
          {place}
        </span>
        {learners !== null && <span>{learners}</span>}
      </p>
      <p className={classes.name} data-empty={name ? undefined : true}>
        {name || t("scenarioDrafts.noText")}
      </p>
      {tone === null && <p className={classes.count}>{t("scenarioDrafts.choices", { count: choices })}</p>}
    </div>
  );
}

/** Where choices lead that lead nowhere. */
export function LooseBox() {
  const { t } = useTranslation();
  return (
    <div className={classes.looseBox}>
      <Ends hasTarget hasSource={false} />
      <IconAlertTriangle size={18} stroke={1.7} aria-hidden />
      <span>
        <strong>{t("scenarioDrafts.leadsNowhere")}</strong>
        <br />
        {t("scenarioDrafts.choose")}
      </span>
    </div>
  );
}

const Ends = ({ hasTarget, hasSource }: { hasTarget: boolean; hasSource: boolean }) => (
  <>
    {hasTarget && <Handle type="target" position={Position.Left} className={classes.end ?? ""} isConnectable={false} />}
    {hasSource && (
      <Handle type="source" position={Position.Right} className={classes.end ?? ""} isConnectable={false} />
    )}
  </>
);
