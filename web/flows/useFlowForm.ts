import { useForm } from "@mantine/form";
import type { Flow, FlowTarget, Transform } from "#shared/flows/flows.ts";
import type { Variable } from "#shared/variables/variables.ts";

export type FlowValues = {
  source: Pick<Variable, "id" | "label"> | null;
  targetKind: FlowTarget["kind"];
  target: Pick<Variable, "id" | "label"> | null;
  webhookId: string | null;
  kind: Transform["kind"];
  pairs: { from: string; to: string }[];
  otherwise: string;
  at: number | "";
  reached: string;
  below: string;
  text: string;
  includesCurrent: boolean;
};

const empty: FlowValues = {
  source: null,
  targetKind: "variable",
  target: null,
  webhookId: null,
  kind: "none",
  pairs: [{ from: "", to: "" }],
  otherwise: "",
  at: "",
  reached: "",
  below: "",
  text: "{{value}}",
  includesCurrent: false,
};

/** The form of a flow; `start` prefills the ends of a new one. */
export function useFlowForm(flow?: Flow, start: Partial<FlowValues> = {}) {
  return useForm<FlowValues>({ initialValues: { ...empty, ...start, ...(flow && fromFlow(flow)) } });
}

function fromFlow({ source, target, transform }: Flow): Partial<FlowValues> {
  const ends = {
    source,
    targetKind: target.kind,
    target: target.kind === "variable" ? target : null,
    webhookId: target.kind === "webhook" ? target.id : null,
    kind: transform.kind,
  };
  if (transform.kind === "map")
    return {
      ...ends,
      pairs: transform.pairs.map(({ from, to }) => ({ from: String(from), to: String(to) })),
      otherwise: transform.otherwise === null ? "" : String(transform.otherwise),
    };
  if (transform.kind === "threshold")
    return { ...ends, at: transform.at, reached: String(transform.reached), below: String(transform.below) };
  return transform.kind === "template" ? { ...ends, text: transform.text } : ends;
}

/** The transformation for the server. Numbers may be sent as texts, because targets parse texts as their type. */
export function toTransform({ kind, pairs, otherwise, at, reached, below, text }: FlowValues): Transform {
  if (kind === "map")
    return {
      kind,
      pairs: pairs.filter(({ from, to }) => from.trim() !== "" || to.trim() !== ""),
      otherwise: otherwise.trim() === "" ? null : otherwise,
    };
  if (kind === "threshold") return { kind, at: Number(at), reached, below };
  return kind === "template" ? { kind, text } : { kind };
}
