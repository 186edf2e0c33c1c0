import { saveSample } from "#web/certificates/design/pictures.ts";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { urlOf } from "#web/core/http/http.ts";
import { certificates } from "#shared/certificates/certificates.ts";
import type { CertificateKind, DesignContent } from "#shared/certificates/designs.ts";
import type { BodyOf } from "#shared/core/route.ts";

/** What a certificate is for: a course or a learning path. */
export type Subject = { kind: CertificateKind; id: string; title: string };

export const designQuery = ({ kind, id }: Subject) =>
  kind === "course"
    ? queryFor(certificates.design, { params: { courseId: id } })
    : queryFor(certificates.pathDesign, { params: { pathId: id } });

/** The writes of a design, of a course or a learning path. */
export function useDesignCalls({ kind, id }: Subject) {
  const ofCourse = {
    save: useApiMutation(certificates.saveDesign),
    issue: useApiMutation(certificates.issueMissing),
  };
  const ofPath = {
    save: useApiMutation(certificates.savePathDesign),
    issue: useApiMutation(certificates.issueMissingOfPath),
  };
  const isCourse = kind === "course";
  const { isPending, isSuccess } = isCourse ? ofCourse.save : ofPath.save;
  return {
    isSaving: isPending,
    isSaved: isSuccess,
    save: (body: BodyOf<typeof certificates.saveDesign>) =>
      isCourse
        ? ofCourse.save.mutateAsync({ params: { courseId: id }, body })
        : ofPath.save.mutateAsync({ params: { pathId: id }, body }),
    issueMissing: () =>
      isCourse
        ? ofCourse.issue.mutateAsync({ params: { courseId: id } })
        : ofPath.issue.mutateAsync({ params: { pathId: id } }),
    saveSample: (content: DesignContent, name: string) =>
      saveSample(
        isCourse
          ? urlOf(certificates.sample, { params: { courseId: id } })
          : urlOf(certificates.pathSample, { params: { pathId: id } }),
        content,
        name,
      ),
  };
}
