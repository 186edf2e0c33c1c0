import type { ReactNode } from "react";
import { createStore } from "#web/core/store.ts";

export type Confirmation = {
  /** A question: `Delete course “Forklift safety”?` */
  title: string;
  /** The consequence, in numbers. */
  text?: ReactNode;
  /** Verb and noun: `Delete course`. */
  confirm: string;
  /** The safe choice by name: `Keep course`. */
  keep: string;
  /** Red button: something is lost. */
  danger?: boolean;
  /** Has to be typed before the button works: when learners' data goes. */
  code?: string;
  /** A link or button at the left, such as Export first. */
  first?: ReactNode;
  /** Runs while the button shows a spinner; the dialog closes when it resolves and shows the error when it rejects. */
  onConfirm: () => unknown;
};

/** What is being asked; stays while the dialog fades out. */
export const confirmation = createStore<{ asked: Confirmation | null; opened: boolean }>({
  asked: null,
  opened: false,
});

/** Asks before something happens that cannot be undone: `confirm({ title, confirm, keep, onConfirm })`. */
export const confirm = (asked: Confirmation) => confirmation.set({ asked, opened: true });
