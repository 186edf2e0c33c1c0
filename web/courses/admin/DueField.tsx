import { Skeleton } from "@mantine/core";
import { type ComponentProps, lazy, Suspense } from "react";

const DueInput = lazy(() => import("#web/courses/admin/DueInput.tsx").then(({ DueInput }) => ({ default: DueInput })));

/** The field for a due date, loaded on demand because its calendar is large. */
export const DueField = (props: ComponentProps<typeof DueInput>) => (
  <Suspense fallback={<Skeleton height={78} />}>
    <DueInput {...props} />
  </Suspense>
);
