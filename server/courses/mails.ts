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

const formatDay = (day: string) =>
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
