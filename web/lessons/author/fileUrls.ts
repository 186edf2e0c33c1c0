import { useQuery } from "@tanstack/react-query";
import { call } from "#web/core/api/api.ts";
import { createStore } from "#web/core/store.ts";
import { drafts, type LessonFile } from "#shared/lessons/drafts.ts";

/** Addresses of files that were uploaded on this page. */
const known = createStore<ReadonlyMap<string, string>>(new Map());
export const rememberUrl = ({ fileId, url }: LessonFile) => known.set(new Map(known.get()).set(fileId, url));

/** The address of a file of a draft; null while it is unknown, undefined if there is none. */
export function useFileUrl(courseId: string, fileId: string | undefined) {
  const url = known.use().get(fileId ?? "");
  const { data } = useQuery({
    queryKey: ["lessonFileUrl", courseId, fileId],
    queryFn: async ({ signal }) => {
      const { files } = await call(
        drafts.files,
        { params: { id: courseId }, body: { fileIds: [fileId ?? ""] } },
        signal,
      );
      return files[0]?.url ?? "";
    },
    enabled: fileId !== undefined && url === undefined,
    staleTime: Infinity,
  });
  return url ?? (data === "" ? undefined : (data ?? null));
}
