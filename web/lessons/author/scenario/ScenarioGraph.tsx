import "@xyflow/react/dist/style.css";
import {
  applyNodeChanges,
  Background,
  Controls,
  type Edge,
  MarkerType,
  type Node as Box,
  type NodeChange,
  ReactFlow,
} from "@xyflow/react";
import { Button } from "@mantine/core";
import type { Editor } from "@tiptap/core";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useScheme } from "#web/core/brand/scheme.ts";
import { changeSteps } from "#web/lessons/author/scenario/changes.ts";
import classes from "#web/lessons/author/scenario/graph.module.css";
import { BOX, looseKey, placeSteps, wayId, waysOf } from "#web/lessons/author/scenario/graphLayout.ts";
import { LooseBox, StepBox, type StepBoxData } from "#web/lessons/author/scenario/StepBox.tsx";
import { WayEdge } from "#web/lessons/author/scenario/WayEdge.tsx";
import { countLoose, nameOf, optionsOf, type ScenarioPlace, stepsOf } from "#web/lessons/author/scenario/steps.ts";
import type { ScenarioFigures } from "#shared/reports/questionFigures.ts";

const edgeTypes = { way: WayEdge };
const nodeTypes = { step: StepBox, loose: LooseBox };
type Props = {
  editor: Editor;
  scenario: ScenarioPlace;
  figures: ScenarioFigures | undefined;
  selected: string | null;
  onSelect: (key: string | null) => void;
};

/** The graph of a scenario. Boxes are moved by mouse and arrow keys, and stay where the author has put them. */
export function ScenarioGraph({ editor, scenario, figures, selected, onSelect }: Props) {
  const { t } = useTranslation();
  const [scheme] = useScheme();
  const steps = stepsOf(scenario.node);
  const ways = useMemo(() => waysOf(steps), [steps]);
  const { places, bends } = useMemo(() => placeSteps(steps, ways), [steps, ways]);
  const derived = useMemo(() => {
    const boxes = steps.map(({ key, at, node, ending, label }): Box<StepBoxData> => {
      const place = ending ? t(`scenarioDrafts.kinds.${ending as "best"}`) : t("scenarioDrafts.step", { at: at + 1 });
      return {
        id: key,
        type: "step",
        ...BOX,
        position: places.get(key) ?? { x: 0, y: 0 },
        ariaLabel: label,
        data: {
          place: at === 0 ? t("scenarioDrafts.start") : place,
          name: nameOf(node),
          tone: ending,
          choices: optionsOf(node).length,
          learners: figures && figures.learners > 0 ? (figures.steps[String(node.attrs["id"])] ?? 0) : null,
        },
      };
    });
    const loose = ways.flatMap(({ from, to }): Box[] =>
      to === looseKey(from)
        ? [{ id: to, type: "loose", ...BOX, position: places.get(to) ?? { x: 0, y: 0 }, data: {}, selectable: false }]
        : [],
    );
    return [...boxes, ...loose] as Box[];
  }, [steps, ways, places, figures, t]);

  const [boxes, setBoxes] = useState(derived);
  useEffect(() => setBoxes(derived.map((box) => ({ ...box, selected: box.id === selected }))), [derived, selected]);
  const change = (changes: NodeChange[]) => {
    setBoxes((before) => applyNodeChanges(changes, before));
    for (const one of changes) {
      if (one.type === "select" && one.selected) onSelect(one.id);
      if (one.type === "position" && one.dragging === false && one.position)
        changeSteps(editor, scenario.pos, [one.id], {
          at: { x: Math.round(one.position.x), y: Math.round(one.position.y) },
        });
    }
  };
  const edges = ways.map(({ from, to }): Edge => {
    const isLoose = to === looseKey(from);
    const ofStep = from === selected ? classes.ownWay : classes.way;
    return {
      id: wayId({ from, to }),
      type: "way",
      data: { bends: bends.get(wayId({ from, to })) ?? [] },
      source: from,
      target: to,
      className: (isLoose ? classes.looseWay : ofStep) ?? "",
      focusable: false,
      ...(!isLoose && { markerEnd: { type: MarkerType.Arrow, width: 18, height: 18 } }),
    };
  });
  const loose = countLoose(scenario.node);
  const firstLoose = ways.find(({ from, to }) => to === looseKey(from))?.from;
  const hasMoved = steps.some(({ node }) => node.attrs["at"] !== null);
  return (
    <div className={classes.graph} dir="ltr">
      <ReactFlow
        nodes={boxes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onNodesChange={change}
        onPaneClick={() => onSelect(null)}
        colorMode={scheme === "auto" ? "system" : scheme}
        fitView
        fitViewOptions={{ maxZoom: 1, padding: 0.1 }}
        minZoom={0.2}
        maxZoom={1.5}
        nodesDraggable={editor.isEditable}
        nodesConnectable={false}
        edgesFocusable={false}
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={null}
        proOptions={{ hideAttribution: true }}
        ariaLabelConfig={{
          "node.a11yDescription.default": t("scenarioDrafts.graphHelp"),
          "node.a11yDescription.keyboardDisabled": t("scenarioDrafts.graphHelp"),
          "controls.zoomIn.ariaLabel": t("scenarioDrafts.zoomIn"),
          "controls.zoomOut.ariaLabel": t("scenarioDrafts.zoomOut"),
          "controls.fitView.ariaLabel": t("scenarioDrafts.fit"),
        }}
      >
        <Background gap={18} />
        <Controls showInteractive={false} position="bottom-right" orientation="horizontal" />
      </ReactFlow>
      {hasMoved && (
        <Button
          className={classes.tidy}
          variant="default"
          size="xs"
          onClick={() =>
            changeSteps(
              editor,
              scenario.pos,
              steps.map(({ key }) => key),
              { at: null },
            )
          }
        >
          {t("scenarioDrafts.tidy")}
        </Button>
      )}
      {loose > 0 && firstLoose !== undefined && (
        <p className={classes.warning}>
          <span>
            <strong>{t("scenarioDrafts.loose", { count: loose })}.</strong> {t("scenarioDrafts.looseHelp")}
          </span>
          <Button variant="default" size="xs" onClick={() => onSelect(firstLoose)}>
            {t("scenarioDrafts.show")}
          </Button>
        </p>
      )}
    </div>
  );
}
