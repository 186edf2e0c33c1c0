type CourseInCompany = { companyId: string; courseId: string };

/** Path of the player for a course; with `newAttempt` it starts a new attempt. */
export const launchPath = ({ companyId, courseId }: CourseInCompany, newAttempt = false) =>
  `/launch/${companyId}/${courseId}${newAttempt ? "?attempt=new" : ""}`;
