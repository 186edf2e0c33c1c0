export function LearnerReportPage() { return <p>LearnerReportPage</p> }
