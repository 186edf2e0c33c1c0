import { formatDay, nameWithNumber } from "#server/courses/mails.ts";
import { renderMail } from "#server/mails/template.ts";
import type { ReminderKind } from "#shared/reminders/reminders.ts";

export type RemindedCourse = {
  kind: ReminderKind;
  title: string;
  dueDate: string | null;
  assignedOn: string;
  person: string;
  number: string | null;
  hasNoEmail: boolean;
};

type Reminders = { name: string; company: string; color: string | null; courses: RemindedCourse[]; link: string };

/** Lines of one email; the page has the rest. */
export const MAX_LINES = 50;

const lead: Record<ReminderKind, (title: string) => string> = {
  not_started: (title) => `Not started yet: ${title}`,
  due_soon: (title) => `Due soon: ${title}`,
  overdue: (title) => `Overdue: ${title}`,
};

function stateOf({ kind, dueDate, assignedOn }: RemindedCourse) {
  if (kind === "overdue") return `was due on ${formatDay(dueDate as string)}`;
  const due = dueDate ? `due on ${formatDay(dueDate)}` : null;
  if (kind === "due_soon") return due as string;
  return [`assigned on ${formatDay(assignedOn)}, not started`, due].filter(Boolean).join(", ");
}

const lines = (courses: RemindedCourse[], lineOf: (course: RemindedCourse) => [string, string]) => [
  ...courses.slice(0, MAX_LINES).map(lineOf),
  ...(courses.length > MAX_LINES ? [["…", `and ${courses.length - MAX_LINES} more`] as [string, string]] : []),
];

const greeting = (name: string) => (name ? `Hello ${name},` : "Hello,");

/** Reminds a person of the courses that they have not completed. */
export function ownReminderMail({ name, company, color, courses, link }: Reminders) {
  const [first] = courses as [RemindedCourse];
  const isSingle = courses.length === 1;
  const content = renderMail({
    name: company,
    color,
    paragraphs: [
      greeting(name),
      isSingle
        ? `The course “${first.title}” is waiting for you: ${stateOf(first)}.`
        : `${courses.length} courses are waiting for you:`,
    ],
    ...(!isSingle && { facts: lines(courses, (course) => [course.title, stateOf(course)]) }),
    button: { label: "Open my courses", url: link },
    footer: `You get this email because ${company} uses this academy for its training.`,
  });
  return {
    subject: isSingle ? lead[first.kind](first.title) : `${courses.length} courses are waiting for you`,
    ...content,
  };
}

/** Tells a manager about courses that the people whom they lead have not completed. */
export function teamReminderMail({ name, company, color, courses, link }: Reminders) {
  const people = new Set(courses.map(({ person, number }) => nameWithNumber(person, number))).size;
  const areWithoutEmail = courses.some(({ hasNoEmail }) => hasNoEmail);
  const content = renderMail({
    name: company,
    color,
    paragraphs: [
      greeting(name),
      people === 1
        ? "A person whom you lead has not completed what they were assigned:"
        : `${people} people whom you lead have not completed what they were assigned:`,
      ...(areWithoutEmail
        ? ["Tell those with “no email address” in person. They log in with their personnel number."]
        : []),
    ],
    facts: lines(courses, (course) => [
      nameWithNumber(course.person, course.number),
      `${course.title}, ${stateOf(course)}${course.hasNoEmail ? ", no email address" : ""}`,
    ]),
    button: { label: "Open your team", url: link },
    footer: `You get this email because you lead these people at ${company}.`,
  });
  return {
    subject: people === 1 ? `Your team: ${courses[0]?.person}` : `Your team: courses of ${people} people`,
    ...content,
  };
}
