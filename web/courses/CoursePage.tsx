export function CoursePage() { return <p>CoursePage</p> }
