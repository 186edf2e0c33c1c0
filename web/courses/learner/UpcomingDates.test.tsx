import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import { UpcomingDates } from "#web/courses/learner/UpcomingDates.tsx";
import type { MyCourse } from "#shared/courses/enrolments.ts";

const course = (title: string, dueDate: string | null, more: Partial<MyCourse> = {}) =>
  ({ courseId: title, title, dueDate, status: "started", archived: false, overdue: false, ...more }) as MyCourse;

test("lists the due dates of open courses, overdue ones first", () => {
  const html = renderToStaticMarkup(
    <MantineProvider>
      <MemoryRouter>
        <UpcomingDates
          courses={[
            course("later", "2027-02-01"),
            course("past", "2026-01-01", { overdue: true }),
            course("soon", "2027-01-01"),
            course("done", "2027-01-02", { status: "completed" }),
            course("open", null),
          ]}
          userId="me"
        />
      </MemoryRouter>
    </MantineProvider>,
  );
  expect([...html.matchAll(/href="\/courses\/(\w+)"/g)].map(([, id]) => id)).toEqual(["past", "soon", "later"]);
});

test("does not say that nothing is due while a course is overdue", () => {
  const render = (courses: MyCourse[]) =>
    renderToStaticMarkup(
      <MantineProvider>
        <MemoryRouter>
          <UpcomingDates courses={courses} userId="me" />
        </MemoryRouter>
      </MantineProvider>,
    );
  const overdue = render([course("past", "2026-01-01", { overdue: true })]);
  expect(overdue).toContain("Overdue since");
  expect(overdue).not.toContain("Nothing due");
  expect(render([course("open", null)])).toContain("Nothing due");
});
