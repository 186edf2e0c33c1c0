import { lazy, Suspense } from "react";
import { confirmation } from "#web/core/dialog/confirm.ts";
import { toastsWanted } from "#web/core/toast/toast.ts";

const Toasts = lazy(() => import("#web/core/toast/Toasts.tsx").then(({ Toasts }) => ({ default: Toasts })));
const ConfirmDialog = lazy(() =>
  import("#web/core/dialog/ConfirmDialog.tsx").then(({ ConfirmDialog }) => ({ default: ConfirmDialog })),
);

/** Toasts and the confirm dialog: beside the router, and loaded when something asks for them first. One boundary each: a first toast must not suspend an open dialog. */
export function OnDemand() {
  const toasts = toastsWanted.use();
  const { asked } = confirmation.use();
  return (
    <>
      <Suspense>{toasts && <Toasts />}</Suspense>
      <Suspense>{asked && <ConfirmDialog />}</Suspense>
    </>
  );
}
