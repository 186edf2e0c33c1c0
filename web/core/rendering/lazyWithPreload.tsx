import { type ComponentType, lazy, useState } from "react";

type Load<P> = () => Promise<ComponentType<P>>;

/**
 * A lazily loaded component. After `preload` has resolved it renders without a fallback; server-side rendering and
 * hydration rely on that.
 */
export function lazyWithPreload<P extends object = object>(load: Load<P>) {
  let loaded: ComponentType<P> | undefined;
  const preload = async () => (loaded ??= await load());
  const Lazy: ComponentType<P> = lazy(async () => ({ default: await preload() }));
  function Preloadable(props: P) {
    // Fixed for the life of an instance: replacing the component would reset its state.
    const [Component] = useState(() => loaded ?? Lazy);
    return <Component {...props} />;
  }
  return Object.assign(Preloadable, { preload });
}
