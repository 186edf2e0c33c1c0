import { type ComponentType, lazy, useState } from "react";

type Load<P> = () => Promise<ComponentType<P>>;

/** A component in a chunk of its own. Once `fetch` has run it is there at once, without a fallback: the server and the first paint rely on that. */
export function chunked<P extends object = object>(load: Load<P>) {
  let ready: ComponentType<P> | undefined;
  const fetch = async () => (ready ??= await load());
  const Later = lazy(async () => ({ default: await fetch() })) as unknown as ComponentType<P>;
  function Chunked(props: P) {
    // What it began as it stays: another component in its place would lose its state.
    const [Now] = useState(() => ready ?? Later);
    return <Now {...props} />;
  }
  return Object.assign(Chunked, { fetch });
}
