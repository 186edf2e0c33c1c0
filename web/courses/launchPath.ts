type Where = { companyId: string; courseId: string };

/** Address of the player for a course; `fresh` begins a new attempt. */
export const launchPath = ({ companyId, courseId }: Where, fresh = false) =>
  `/launch/${companyId}/${courseId}${fresh ? "?attempt=new" : ""}`;
