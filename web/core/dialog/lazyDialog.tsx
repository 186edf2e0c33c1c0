import { type ComponentType, createElement, Suspense, useState } from "react";
import { useDelayedOpen } from "#web/core/dialog/useDelayedOpen.ts";
import { lazyWithPreload } from "#web/core/rendering/lazyWithPreload.tsx";

/** A dialog whose code is loaded when it is opened for the first time. */
export function lazyDialog<P extends { opened: boolean }>(load: () => Promise<ComponentType<P>>) {
  const Dialog = lazyWithPreload(load);
  function Loaded(props: P) {
    const opened = useDelayedOpen(props.opened);
    return <Dialog {...props} opened={opened} />;
  }
  return function LazyDialog(props: P) {
    const [wasOpened, setWasOpened] = useState(false);
    if (props.opened && !wasOpened) setWasOpened(true);
    return wasOpened && <Suspense>{createElement(Loaded, props)}</Suspense>;
  };
}
