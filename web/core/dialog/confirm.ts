import type { ReactNode } from "react";
import { createStore } from "#web/core/store.ts";

export type Confirmation = {
  /** A question: `Delete course “Forklift safety”?` */
  title: string;
  /** The consequence, in numbers. */
  text?: ReactNode;
  /** Verb and noun: `Delete course`. */
  confirmLabel: string;
  /** The safe choice by name: `Keep course`. */
  cancelLabel: string;
  /** Red button: data is lost. */
  danger?: boolean;
  /** Must be typed to enable the button: for the deletion of learner data. */
  typedCode?: string;
  /** A link or button at the left, such as Export. */
  leftAction?: ReactNode;
  /** The dialog shows a spinner until it resolves, then closes; if it rejects, the dialog shows the error. */
  onConfirm: () => unknown;
};

/** The current confirmation; kept while the dialog fades out. */
export const confirmation = createStore<{ current: Confirmation | null; opened: boolean }>({
  current: null,
  opened: false,
});

/**
 * Opens the confirm dialog before an action that cannot be undone: `confirm({ title, confirmLabel, cancelLabel,
 * onConfirm })`.
 */
export const confirm = (current: Confirmation) => confirmation.set({ current, opened: true });
