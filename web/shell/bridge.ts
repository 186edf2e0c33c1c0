import type { ButtonAnswer } from "#shared/prompts/buttonPrompts.ts";
import {
  type Constraints,
  type FoldedValue,
  foldValue,
  MAX_SESSION_VALUES,
  normaliseKey,
  type Refusal,
  type VariableType,
  type VariableValue,
  type WriteMode,
} from "#shared/variables/variableTypes.ts";
import { parseVariableValue } from "#shared/variables/valueRules.ts";
import type { CompletionOptions } from "#web/shell/completion.ts";

/** A variable of the course as the launch describes it. */
export type BridgeVariable = {
  key: string;
  type: VariableType;
  constraints: Constraints;
  writeMode: WriteMode;
  access: "read" | "write" | "both";
  status: "new" | "active" | "archived" | "ignored";
  value: VariableValue;
};
export type BridgeVariables = { declared: BridgeVariable[]; newKeysLeft: number };

export type Change = { key: string; value: VariableValue; previous: VariableValue };
type Listener = (change: Change) => void;

/** `window.Lyceum`, as packages see it. Described for their authors in docs/content-api.md and docs/lyceum.d.ts. */
export type Lyceum = {
  get: (key: string) => VariableValue;
  set: (key: string, value: VariableValue) => boolean;
  setMany: (values: Record<string, VariableValue>) => boolean;
  on: (name: "change", listener: Listener) => () => void;
  runPrompt: (key: string, input?: string) => Promise<ButtonAnswer>;
  openChat: (chatbotId?: string) => void;
  complete: (options?: CompletionOptions) => boolean;
};

type Hooks = {
  /** Records an accepted value; `value` is JSON. */
  record: (key: string, value: string) => void;
  /** Records once per key and reason why a value was refused. */
  refuse: (key: string, reason: Refusal | "badKey" | "tooManyKeys" | "tooManyValues") => void;
  /** True once the session has ended: nothing is accepted any more. */
  isStopped: () => boolean;
  /** Runs a button prompt; rejects if there is no answer, not even the text for a failure. */
  runPrompt: (key: string, input: string) => Promise<ButtonAnswer>;
  /** Opens a chatbot of the course; null: the first one. */
  openChat: (chatbotId: string | null) => void;
  /** Reports that the content is completed; false if the completion rule requires more. */
  complete: (options?: CompletionOptions) => boolean;
};

/**
 * The variables of a course for its content: values come from the launch and from what is set afterwards, so reading
 * never waits. A value accepted by `set` is as durable as one set by the SCORM API. The server validates every value
 * again.
 */
export function createBridge({ declared, newKeysLeft }: BridgeVariables, hooks: Hooks): Lyceum {
  const variables = new Map(declared.map((variable) => [variable.key, variable]));
  const values = new Map<string, FoldedValue>(
    declared.flatMap(({ key, value }) => (value === null ? [] : [[key, valueAtLaunch(value)]])),
  );
  const listeners = new Set<Listener>();
  const refused = new Set<string>();
  let keysLeft = newKeysLeft;
  let count = 0;

  const get = (name: string): VariableValue => {
    const key = normaliseKey(String(name));
    return key === null ? null : structuredClone(values.get(key)?.current ?? null);
  };
  const refuse = (key: string, reason: Parameters<Hooks["refuse"]>[1]) => {
    const once = `${key} ${reason}`;
    if (!refused.has(once)) hooks.refuse(key, reason);
    refused.add(once);
    return false as const;
  };
  /** The value as it is stored; false if it is refused. */
  const accept = (key: string, raw: VariableValue): { value: VariableValue } | false => {
    const variable = variables.get(key);
    if (!variable && keysLeft <= 0) return refuse(key, "tooManyKeys");
    if (count >= MAX_SESSION_VALUES) return refuse(key, "tooManyValues");
    if (variable?.access === "read") return refuse(key, "readOnly");
    if (variable?.status === "archived") return refuse(key, "archived");
    const rules = variable?.status === "active" ? variable : { type: "json" as const, constraints: {} };
    const parsed = parseVariableValue(rules, raw);
    return parsed.refusal ? refuse(key, parsed.refusal) : { value: parsed.value };
  };
  const announce = (change: Change) => {
    for (const listener of listeners) {
      try {
        listener(change);
      } catch (error) {
        // The listeners of one page must not stop those of another, nor the caller of `set`.
        console.error(error);
      }
    }
  };
  const set = (name: string, raw: VariableValue): boolean => {
    if (hooks.isStopped()) return false;
    const key = normaliseKey(String(name));
    if (key === null) return refuse(String(name).slice(0, 64), "badKey");
    const accepted = accept(key, raw);
    if (!accepted) return false;
    const value = structuredClone(accepted.value);
    if (!variables.has(key)) {
      keysLeft--;
      variables.set(key, newVariable(key));
    }
    const mode = variables.get(key)?.writeMode ?? "last";
    const before = values.get(key) ?? null;
    // Packages often set the same value again, which changes only sums.
    if (mode === "last" && before && JSON.stringify(before.current) === JSON.stringify(value)) return true;
    count++;
    const after = foldValue(mode, before, { id: count, at: Date.now(), value });
    values.set(key, after);
    hooks.record(key, JSON.stringify(value));
    if (before?.current !== after.current)
      announce({ key, value: structuredClone(after.current), previous: structuredClone(before?.current ?? null) });
    return true;
  };

  /** Adopts values that the server has already stored, without recording them again. */
  const receive = (stored: ButtonAnswer["values"]) => {
    for (const [key, value] of Object.entries(stored)) {
      const before = values.get(key) ?? null;
      count++;
      const mode = variables.get(key)?.writeMode ?? "last";
      const after = foldValue(mode, before, { id: count, at: Date.now(), value: structuredClone(value) });
      values.set(key, after);
      if (before?.current !== after.current)
        announce({ key, value: structuredClone(after.current), previous: structuredClone(before?.current ?? null) });
    }
  };
  const runPrompt = async (key: string, input = "") => {
    if (hooks.isStopped()) throw new Error("The session has ended.");
    const answer = await hooks.runPrompt(String(key), String(input));
    receive(answer.values);
    return answer;
  };

  return Object.freeze({
    get,
    runPrompt,
    openChat: (chatbotId) => {
      if (!hooks.isStopped()) hooks.openChat(chatbotId === undefined ? null : String(chatbotId));
    },
    complete: hooks.complete,
    set,
    setMany: (many) => Object.entries(many).reduce((all, [key, value]) => set(key, value) && all, true),
    on: (name, listener) => {
      if (name !== "change" || typeof listener !== "function") return () => {};
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } satisfies Lyceum);
}

/** A value from before this session, which precedes every value set in it. */
const valueAtLaunch = (value: VariableValue): FoldedValue => ({
  count: 1,
  current: value,
  currentAt: 0,
  currentId: 0,
  first: value,
  firstAt: 0,
  firstId: 0,
  lastAt: 0,
});
const newVariable = (key: string): BridgeVariable => ({
  key,
  type: "json",
  constraints: {},
  writeMode: "last",
  access: "both",
  status: "new",
  value: null,
});
