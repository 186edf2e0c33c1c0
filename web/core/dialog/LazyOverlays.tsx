import { lazy, Suspense } from "react";
import { confirmation } from "#web/core/dialog/confirm.ts";
import { hasToasts } from "#web/core/toast/toast.ts";

const Toasts = lazy(() => import("#web/core/toast/Toasts.tsx").then(({ Toasts }) => ({ default: Toasts })));
const ConfirmDialog = lazy(() =>
  import("#web/core/dialog/ConfirmDialog.tsx").then(({ ConfirmDialog }) => ({ default: ConfirmDialog })),
);

/**
 * Toasts and the confirm dialog, loaded when they are first needed. Separate boundaries: the first toast must not
 * suspend an open dialog.
 */
export function LazyOverlays() {
  const showsToasts = hasToasts.use();
  const { current } = confirmation.use();
  return (
    <>
      <Suspense>{showsToasts && <Toasts />}</Suspense>
      <Suspense>{current && <ConfirmDialog />}</Suspense>
    </>
  );
}
