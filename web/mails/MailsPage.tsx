export function MailsPage() { return <p>MailsPage</p> }
