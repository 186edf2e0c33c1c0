import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useParams, useSearchParams } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { useWorkBench } from "#web/core/layout/workBench.ts";
import { useUser } from "#web/core/session/session.tsx";
import { type Author, AuthorContext } from "#web/lessons/author/authorContext.ts";
import { CourseBench } from "#web/lessons/author/CourseBench.tsx";
import { drafts } from "#shared/lessons/drafts.ts";
import { lessonsOf } from "#shared/lessons/outline.ts";
import { variables as variableContracts } from "#shared/variables/variables.ts";

/** `/courses/:id/edit`: writing a course. */
export function EditCoursePage() {
  const { id = "" } = useParams();
  const user = useUser();
  const [params, setParams] = useSearchParams();
  useWorkBench();
  const { data: draft } = useSuspenseQuery(queryFor(drafts.get, { params: { id } }));
  const { data } = useQuery(queryFor(variableContracts.list, { query: { size: 200 } }));
  const lessons = lessonsOf(draft);
  const lesson = lessons.find((one) => one.id === params.get("lesson")) ?? lessons[0];
  const variables = useMemo(() => (data?.items ?? []).map(({ key, label }) => ({ key, label })), [data]);
  const author = useMemo<Author>(
    () => ({ draft, lessonId: lesson?.id ?? "", variables }),
    [draft, lesson?.id, variables],
  );
  return (
    <AuthorContext value={author}>
      <CourseBench
        draft={draft}
        lesson={lesson ?? null}
        userId={user?.id ?? ""}
        thread={params.get("thread")}
        block={params.get("block")}
        onOpen={(lessonId) => setParams({ lesson: lessonId }, { preventScrollReset: true })}
      />
    </AuthorContext>
  );
}
