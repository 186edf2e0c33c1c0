import type { ReactNode } from "react";
import { messageOf } from "#web/core/http/messages.ts";
import { createStore } from "#web/core/store.ts";
import type { Toast } from "#web/core/toast/Toasts.tsx";

type Extra = { text?: ReactNode; action?: Toast["action"] };

/** True from the first toast on: the component that shows toasts is only loaded then. */
export const hasToasts = createStore(false);

/** Short notices at the top right. */
export const toast = {
  done: (title: string, extra: Extra = {}) => show({ kind: "ok", title, ...extra }),
  failed: (error: unknown, extra: Extra = {}) =>
    show({ kind: "bad", title: typeof error === "string" ? error : messageOf(error), ...extra }),
};

function show(content: Toast) {
  hasToasts.set(true);
  void import("#web/core/toast/Toasts.tsx").then(({ showToast }) => showToast(content));
}
