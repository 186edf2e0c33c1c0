import { queryFor } from "#web/core/api/api.ts";
import { completions } from "#shared/completions/completions.ts";

export const ownCompletionQuery = (courseId: string) => queryFor(completions.mine, { params: { id: courseId } });
