import "@xyflow/react/dist/style.css";
import { Background, Controls, type Edge, type Node, ReactFlow } from "@xyflow/react";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { useScheme } from "#web/core/brand/scheme.ts";
import classes from "#web/flows/flows.module.css";
import { FlowBox, type FlowBoxData } from "#web/flows/FlowBox.tsx";
import { LoopEdge } from "#web/flows/LoopEdge.tsx";
import { boxesOf, BOX_WIDTH, placeBoxes } from "#web/flows/graphLayout.ts";
import type { FlowValues } from "#web/flows/useFlowForm.ts";
import { type Flow, flows } from "#shared/flows/flows.ts";
import { variables } from "#shared/variables/variables.ts";
import { webhooks } from "#shared/webhooks/webhooks.ts";

const nodeTypes = { box: FlowBox };
const edgeTypes = { loop: LoopEdge };
const MOST = 200;
type Props = { onEdit: (flow: Flow) => void; onStart: (start: Partial<FlowValues>) => void };

/**
 * The flows as wires between boxes. A new flow is drawn from a ring on the right of a box to one on the left of
 * another.
 */
export function FlowGraph({ onEdit, onStart }: Props) {
  const { t } = useTranslation();
  const [scheme] = useScheme();
  const [from, setFrom] = useState<string | null>(null);
  const { data: wires } = useQuery(queryFor(flows.list, { query: { size: MOST } }));
  const { data: defined } = useQuery(queryFor(variables.list, { query: { size: MOST } }));
  const { data: hooks } = useQuery(queryFor(webhooks.list, { query: { size: MOST } }));

  /** The view is fitted once, when all boxes are loaded. */
  const isComplete = Boolean(wires && defined && hooks);

  const boxes = useMemo(
    () => placeBoxes(boxesOf(defined?.items ?? [], hooks?.items ?? [], t("flows.noCourse")), wires?.items ?? []),
    [defined, hooks, wires, t],
  );
  const labelOf = (id: string) => boxes.flatMap(({ ports }) => ports).find((port) => port.id === id)?.label ?? "";
  const connect = (source: string, target: string) => {
    setFrom(null);
    const hook = hooks?.items.find(({ id }) => id === target);
    const ends = { source: { id: source, label: labelOf(source) } };
    onStart(
      hook
        ? { ...ends, targetKind: "webhook", webhookId: hook.id }
        : { ...ends, targetKind: "variable", target: { id: target, label: labelOf(target) } },
    );
  };
  const nodes = boxes.map(({ id, x, y, ...box }): Node<FlowBoxData> => ({
    id,
    type: "box",
    position: { x, y },
    width: BOX_WIDTH,
    data: {
      ...box,
      from,
      onLeave: setFrom,
      onArrive: (target) => from !== null && connect(from, target),
    },
  }));
  const boxOf = (port: string) => boxes.find(({ ports }) => ports.some(({ id }) => id === port))?.id ?? "";
  const edges = (wires?.items ?? []).map((flow): Edge => ({
    id: flow.id,
    ...(boxOf(flow.source.id) === boxOf(flow.target.id) && { type: "loop" }),
    source: boxOf(flow.source.id),
    sourceHandle: flow.source.id,
    target: boxOf(flow.target.id),
    targetHandle: flow.target.id,
    className: flow.problem ? (classes.dead ?? "") : "",
    ...(!flow.isActive && { style: { strokeDasharray: "2 4" } }),
    ariaLabel: t("flows.nameOf", { source: flow.source.label, target: flow.target.label }),
  }));
  return (
    <>
      <p className={classes.hint} role="status">
        {from ? t("flows.startedFrom", { label: labelOf(from) }) : t("flows.graphLine")}
      </p>
      <div
        className={classes.graph}
        role="presentation"
        onKeyDown={(event) => {
          if (event.key === "Escape") setFrom(null);
        }}
      >
        {isComplete && (
          <ReactFlow
            nodes={nodes}
            edges={edges}
            nodeTypes={nodeTypes}
            edgeTypes={edgeTypes}
            colorMode={scheme === "auto" ? "system" : scheme}
            fitView
            fitViewOptions={{ maxZoom: 1, padding: 0.08 }}
            minZoom={0.3}
            maxZoom={1.5}
            nodesDraggable={false}
            nodesFocusable={false}
            deleteKeyCode={null}
            proOptions={{ hideAttribution: true }}
            onConnect={({ sourceHandle, targetHandle }) => {
              if (sourceHandle && targetHandle) connect(sourceHandle, targetHandle);
            }}
            onEdgeClick={(_, { id }) => {
              const flow = wires?.items.find((one) => one.id === id);
              if (flow) onEdit(flow);
            }}
          >
            <Background gap={18} />
            <Controls showInteractive={false} />
          </ReactFlow>
        )}
      </div>
    </>
  );
}
