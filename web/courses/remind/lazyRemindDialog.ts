import { lazyDialog } from "#web/core/dialog/lazyDialog.tsx";

export const LazyRemindDialog = lazyDialog(() =>
  import("#web/courses/remind/RemindDialog.tsx").then(({ RemindDialog }) => RemindDialog),
);
