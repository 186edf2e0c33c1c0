import type { ReactNode } from "react";
import { createStore } from "#web/core/store.ts";
import { messageOf } from "#web/core/api/messages.ts";

export type Toast = {
  kind: "ok" | "bad";
  title: string;
  text?: ReactNode;
  action?: { label: string; run: () => void };
};
type Extra = Omit<Toast, "kind" | "title">;

/** True from the first toast on: only then the code that shows them is loaded. */
export const toastsWanted = createStore(false);

/** Short notices, top right. Good news leaves after 5 s; errors stay until somebody closes them. */
export const toast = {
  done: (title: string, extra: Extra = {}) => show({ kind: "ok", title, ...extra }),
  failed: (error: unknown, extra: Extra = {}) =>
    show({ kind: "bad", title: typeof error === "string" ? error : messageOf(error), ...extra }),
};

function show(one: Toast) {
  toastsWanted.set(true);
  void import("#web/core/toast/Toasts.tsx").then(({ showToast }) => showToast(one));
}
