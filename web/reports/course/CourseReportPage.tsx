import { useParams } from "react-router";
import { ReportPage } from "#web/reports/figures/ReportPage.tsx";

export function CourseReportPage() {
  const { id = "" } = useParams();
  return <ReportPage kind="course" parent={`/courses/${id}`} />;
}
