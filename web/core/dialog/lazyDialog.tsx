import { type ComponentType, createElement, useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { lazyWithPreload } from "#web/core/rendering/lazyWithPreload.tsx";
import { toast } from "#web/core/toast/toast.ts";

/** Dialogs without `opened` are open while they are mounted. */
type DialogProps = { opened?: boolean; onClose: () => void };

/**
 * A dialog whose code is loaded when it is opened for the first time. Without a connection it is closed, and a notice
 * says so.
 */
export function lazyDialog<P extends DialogProps>(load: () => Promise<ComponentType<P>>) {
  const Dialog = lazyWithPreload(load);
  function LazyDialog(props: P) {
    const { t } = useTranslation();
    const [isLoaded, setLoaded] = useState(false);
    const isWanted = props.opened !== false && !isLoaded;
    const fail = useEffectEvent(() => {
      toast.failed(t("core.error.title"), { text: t("core.error.part") });
      props.onClose();
    });
    useEffect(() => {
      if (!isWanted) return;
      Dialog.preload().then(
        () => setLoaded(true),
        () => fail(),
      );
    }, [isWanted]);
    if (!isLoaded) return null;
    return createElement(Dialog, props);
  }
  return Object.assign(LazyDialog, { preload: Dialog.preload });
}
