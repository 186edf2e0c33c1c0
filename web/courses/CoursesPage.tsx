export function CoursesPage() { return <p>CoursesPage</p> }
