import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { IconBook2, IconVariable, IconWebhook } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import classes from "#web/flows/flows.module.css";
import type { Box } from "#web/flows/graphLayout.ts";

export type FlowBoxData = Omit<Box, "id"> & {
  /** The variable from which a flow is being drawn with the keyboard. */
  from: string | null;
  onLeave: (variableId: string) => void;
  onArrive: (id: string) => void;
};
const icons = { course: IconBook2, shared: IconVariable, webhook: IconWebhook };

/** A box of the graph with its rings: values arrive on the left and leave on the right. */
export function FlowBox({ data }: NodeProps<Node<FlowBoxData>>) {
  const { t } = useTranslation();
  const { title, kind, ports, from, onLeave, onArrive } = data;
  const Icon = icons[kind];
  return (
    <section className={classes.box} aria-label={title}>
      <h3 className={classes.boxTitle}>
        <Icon size={18} stroke={1.6} aria-hidden />
        <span>{title}</span>
      </h3>
      <ul className={classes.ports}>
        {ports.map(({ id, label, key }) => (
          <li key={id} data-from={from === id || undefined}>
            <Handle type="target" position={Position.Left} id={id} className={classes.ring ?? ""} />
            <button
              type="button"
              className={`${classes.portButton} nodrag`}
              data-kind="arrive"
              aria-label={t("flows.endAt", { label })}
              disabled={from === null || from === id}
              onClick={() => onArrive(id)}
            />
            <code>{key || label}</code>
            {kind !== "webhook" && (
              <>
                <button
                  type="button"
                  className={`${classes.portButton} nodrag`}
                  data-kind="leave"
                  aria-label={t("flows.startFrom", { label })}
                  onClick={() => onLeave(id)}
                />
                <Handle type="source" position={Position.Right} id={id} className={classes.ring ?? ""} />
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
