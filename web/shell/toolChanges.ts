// How the shell observes changes of variables between two reads. Storyline and Captivate announce them: DS.pubSub
// triggers "variable:changed" with the path of the variable, and cpAPIEventEmitter has CPAPI_VARIABLEVALUECHANGED for
// each name. If a package announces nothing, the documented setters (GetPlayer().SetVar,
// cpAPIInterface.setVariableValue) are wrapped. Arguments, `this`, results and errors remain the same for the package.

type Setters = Record<string, unknown>;
type ToolWindow = Window & {
  DS?: { pubSub?: { on?: unknown } };
  GetPlayer?: unknown;
  cpAPIInterface?: Setters;
  cpAPIEventEmitter?: { addEventListener?: unknown };
};
type Changed = (name: string) => void;
type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

const STORYLINE_CHANGED = "variable:changed";
const CAPTIVATE_CHANGED = "CPAPI_VARIABLEVALUECHANGED";
/** Objects whose changes are followed, and our wrapper functions. */
const followed = new WeakSet<object>();

const attempt = (work: () => void) => {
  try {
    work();
  } catch {
    // A package may freeze, break or fake its objects. Its values are still read twice a second.
  }
};
const isFunction = (value: unknown): value is AnyFunction => typeof value === "function";

/**
 * Calls `changed` after each change of one of these variables that the tool in this window reports. May be called
 * repeatedly.
 */
export function followChanges(tool: "storyline" | "captivate", window: Window, names: string[], changed: Changed) {
  let isTelling = false;
  // A getter may itself set the variable.
  const tell: Changed = (name) => {
    if (isTelling) return;
    isTelling = true;
    attempt(() => changed(name));
    isTelling = false;
  };
  attempt(() => (tool === "storyline" ? followStoryline : followCaptivate)(window as ToolWindow, names, tell));
}

function followStoryline(window: ToolWindow, names: string[], changed: Changed) {
  attempt(() => {
    const pubSub = window.DS?.pubSub;
    if (typeof pubSub !== "object" || followed.has(pubSub) || !isFunction(pubSub.on)) return;
    followed.add(pubSub);
    // The path is that of the variable in its project, such as _player.SelfRating.
    pubSub.on(STORYLINE_CHANGED, (path: unknown) => {
      for (const name of names) if (typeof path === "string" && path.endsWith(`.${name}`)) changed(name);
    });
  });
  const { GetPlayer } = window;
  if (!isFunction(GetPlayer)) return;
  if (followed.has(GetPlayer)) return;
  // Some versions create a new object for each call.
  attempt(() => {
    window.GetPlayer = wrap(GetPlayer, (player) => followSetter(player, "SetVar", names, changed));
  });
  attempt(() => followSetter(GetPlayer.call(window), "SetVar", names, changed));
}

function followCaptivate(window: ToolWindow, names: string[], changed: Changed) {
  attempt(() => {
    const emitter = window.cpAPIEventEmitter;
    if (typeof emitter !== "object" || followed.has(emitter) || !isFunction(emitter.addEventListener)) return;
    followed.add(emitter);
    for (const name of names) emitter.addEventListener(CAPTIVATE_CHANGED, () => changed(name), name);
  });
  followSetter(window.cpAPIInterface, "setVariableValue", names, changed);
}

/** Follows a setter whose first argument is the name of a variable. */
function followSetter(owner: unknown, method: string, names: string[], changed: Changed) {
  if (typeof owner !== "object" || owner === null) return;
  const setter = (owner as Setters)[method];
  if (!isFunction(setter) || followed.has(setter)) return;
  (owner as Setters)[method] = wrap(setter, (_, [name]) => {
    if (typeof name === "string" && names.includes(name)) changed(name);
  });
}

/** Wraps a function, and calls `after` when it has returned. */
function wrap(original: AnyFunction, after: (result: unknown, args: unknown[]) => void): AnyFunction {
  const handler: ProxyHandler<AnyFunction> = {
    apply(target, self, args: unknown[]) {
      const result: unknown = Reflect.apply(target, self, args);
      attempt(() => after(result, args));
      return result;
    },
  };
  const wrapped = new Proxy(original, handler);
  followed.add(wrapped);
  return wrapped;
}
