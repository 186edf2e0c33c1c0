import { renderMail } from "#server/mails/template.ts";

export type AssignmentMail = {
  name: string;
  company: string;
  color: string | null;
  /** Courses in the order in which they are listed; `due` is a calendar day such as `2026-12-12`. */
  courses: { title: string; due: string | null }[];
  /** True if the person has an invitation but no password yet. */
  invited: boolean;
  link: string;
};

export const formatDay = (day: string) =>
  new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${day}T00:00Z`),
  );
const dueText = (due: string | null) => (due ? `due ${formatDay(due)}` : "no due date");

/** Tells a learner which courses were assigned, with their due dates. */
export function assignmentMail({ name, company, color, courses, invited, link }: AssignmentMail) {
  const [first] = courses;
  const single = courses.length === 1 ? first : undefined;
  const subject = single ? `New course: ${single.title}` : `${courses.length} new courses from ${company}`;
  const lead = single
    ? `${company} has assigned you the course “${single.title}”.`
    : `${company} has assigned you ${courses.length} courses:`;
  const dueLine = single?.due ? [`Complete it by ${formatDay(single.due)}.`] : [];
  const content = renderMail({
    name: company,
    color,
    paragraphs: [
      name ? `Hello ${name},` : "Hello,",
      lead,
      ...dueLine,
      ...(invited ? ["You have not logged in yet: first choose a password with the link in your invitation."] : []),
    ],
    ...(!single && { facts: courses.map(({ title, due }): [string, string] => [title, dueText(due)]) }),
    button: { label: "Open my courses", url: link },
    footer: `You get this email because ${company} uses this academy for its training.`,
  });
  return { subject, ...content };
}

/** Tells a learner which courses are open again, because their completion ends. */
export function renewalMail({ name, company, color, courses, link }: Omit<AssignmentMail, "invited">) {
  const [first] = courses;
  const single = courses.length === 1 ? first : undefined;
  const today = new Date().toISOString().slice(0, 10);
  const isOver = (due: string | null) => due !== null && due < today;
  const ends = (due: string | null) => {
    if (due === null) return "valid";
    return isOver(due) ? `ended on ${formatDay(due)}` : `valid until ${formatDay(due)}`;
  };
  const toBe = (due: string | null) => (isOver(due) ? ends(due) : `is ${ends(due)}`);
  const content = renderMail({
    name: company,
    color,
    paragraphs: [
      name ? `Hello ${name},` : "Hello,",
      single
        ? `Your completion of “${single.title}” ${toBe(single.due)}. The course is open again.`
        : `${courses.length} courses are open again, because your completions end:`,
      "Please complete what is open again. What you did before is kept.",
    ],
    ...(!single && { facts: courses.map(({ title, due }): [string, string] => [title, ends(due)]) }),
    button: { label: "Open my courses", url: link },
    footer: `You get this email because ${company} uses this academy for its training.`,
  });
  return { subject: single ? `Open again: ${single.title}` : `${courses.length} courses are open again`, ...content };
}

export type ReminderMail = Pick<AssignmentMail, "name" | "company" | "color" | "link"> & { title: string; due: string };

/** Reminds a learner of a course whose due date is over. */
export function reminderMail({ name, company, color, title, due, link }: ReminderMail) {
  const content = renderMail({
    name: company,
    color,
    paragraphs: [
      name ? `Hello ${name},` : "Hello,",
      `The course “${title}” was due on ${formatDay(due)}, and you have not completed it.`,
      "Everything you have done so far is saved. You continue where you stopped.",
    ],
    button: { label: "Continue the course", url: link },
    footer: `You get this email because ${company} uses this academy for its training.`,
  });
  return { subject: `Overdue: ${title}`, ...content };
}

export type TeamMail = Pick<AssignmentMail, "company" | "color" | "link"> & {
  /** The manager who gets the email. */
  manager: string;
  /** People without an email address, as `nameWithNumber` writes them. */
  people: { person: string; title: string; due: string | null }[];
};

/** How emails to managers name a person without an address. */
export const nameWithNumber = (name: string, number: string | null) => (number ? `${name} (${number})` : name);

const teamMail = ({ manager, company, color, people, link }: TeamMail, lead: string) =>
  renderMail({
    name: company,
    color,
    paragraphs: [
      manager ? `Hello ${manager},` : "Hello,",
      lead,
      "They have no email address, so tell them in person. They log in with their personnel number.",
    ],
    facts: people.map(({ person, title, due }): [string, string] => [person, `${title}, ${dueText(due)}`]),
    button: { label: "Open your team", url: link },
    footer: `You get this email because you lead these people at ${company}.`,
  });

/** Tells a manager which courses were assigned to people without an email address. */
export const teamAssignmentMail = (mail: TeamMail) => ({
  subject: "New courses of people you lead",
  ...teamMail(mail, `${mail.company} has assigned courses to people you lead.`),
});

/** Reminds a manager of a course that people without an email address have not completed in time. */
export const teamReminderMail = (mail: TeamMail & { title: string }) => ({
  subject: `Overdue in your team: ${mail.title}`,
  ...teamMail(mail, `People you lead have not completed the course “${mail.title}” in time.`),
});

/** Tells a manager which courses are open again for people without an email address. */
export const teamRenewalMail = (mail: TeamMail) => ({
  subject: "Courses open again for people you lead",
  ...teamMail(mail, `Completions of people you lead at ${mail.company} end, and their courses are open again.`),
});
