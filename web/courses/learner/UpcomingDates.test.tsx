import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import { UpcomingDates } from "#web/courses/learner/UpcomingDates.tsx";
import type { MyCourse } from "#shared/courses/enrolments.ts";

const course = (title: string, dueDate: string | null, more: Partial<MyCourse> = {}) =>
  ({ courseId: title, title, dueDate, status: "started", archived: false, overdue: false, ...more }) as MyCourse;

test("lists upcoming due dates of open courses, earliest first", () => {
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
        />
      </MemoryRouter>
    </MantineProvider>,
  );
  expect([...html.matchAll(/href="\/courses\/(\w+)"/g)].map(([, id]) => id)).toEqual(["soon", "later"]);
});
