import { attempt, type Changed, followed, followSetter, isFunction } from "#web/shell/tools/observation.ts";

// Captivate exposes variables by `cpAPIInterface.getVariableValue(name)`, as its vendor documents, and announces
// changes: cpAPIEventEmitter has CPAPI_VARIABLEVALUECHANGED for each name. If a package announces nothing, its setter
// is wrapped.

type CaptivateWindow = Window & {
  cpAPIInterface?: { getVariableValue: (name: string) => unknown };
  cpAPIEventEmitter?: { addEventListener?: unknown };
};

const CHANGED = "CPAPI_VARIABLEVALUECHANGED";

/** A function that reads variables; null if the window has no Captivate API. */
export function readerOfCaptivate({ cpAPIInterface: api }: CaptivateWindow) {
  return typeof api?.getVariableValue === "function" ? (name: string) => api.getVariableValue(name) : null;
}

export function followCaptivate(window: CaptivateWindow, names: string[], changed: Changed) {
  attempt(() => {
    const emitter = window.cpAPIEventEmitter;
    if (typeof emitter !== "object" || followed.has(emitter) || !isFunction(emitter.addEventListener)) return;
    followed.add(emitter);
    for (const name of names) emitter.addEventListener(CHANGED, () => changed(name), name);
  });
  followSetter(window.cpAPIInterface, "setVariableValue", names, changed);
}
