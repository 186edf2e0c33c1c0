export function MyCoursesPage() { return <p>MyCoursesPage</p> }
