export function LearnersPage() { return <p>LearnersPage</p> }
