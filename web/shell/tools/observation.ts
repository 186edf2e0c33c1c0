// Observes functions of a package. Arguments, `this`, results and errors remain the same for the package.

export type Changed = (name: string) => void;
type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/** Objects whose changes are followed, and our wrapper functions. */
export const followed = new WeakSet<object>();

export const attempt = (work: () => void) => {
  try {
    work();
  } catch {
    // A package may freeze, break or fake its objects. Its values are still read twice a second.
  }
};
export const isFunction = (value: unknown): value is AnyFunction => typeof value === "function";

/** Follows a setter whose first argument is the name of a variable. */
export function followSetter(owner: unknown, method: string, names: string[], changed: Changed) {
  if (typeof owner !== "object" || owner === null) return;
  const methods = owner as Record<string, unknown>;
  const setter = methods[method];
  if (!isFunction(setter) || followed.has(setter)) return;
  methods[method] = wrap(setter, (_, [name]) => {
    if (typeof name === "string" && names.includes(name)) changed(name);
  });
}

/** Wraps a function, and calls `after` when it has returned. */
export function wrap(original: AnyFunction, after: (result: unknown, args: unknown[]) => void): AnyFunction {
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
