import "virtual:theme.css";
import "@mantine/core/styles/baseline.layer.css";
import "@mantine/core/styles/global.layer.css";
import "#web/theme.css";
import "#web/core/i18n.ts";
import { createRoot } from "react-dom/client";
import { createCourseRun } from "#web/player/exported/courseRun.ts";
import { CourseScreen } from "#web/player/exported/CourseScreen.tsx";
import { connectPlatform } from "#web/player/exported/platform.ts";
import type { ExportedCourse } from "#shared/lessons/transfer/exported.ts";

// Entry of the page of an exported course: one script and one style sheet, which also run from a disk

const course = JSON.parse(document.getElementById("course")?.textContent ?? "") as ExportedCourse;
const dark = matchMedia("(prefers-color-scheme: dark)");
const followScheme = () =>
  document.documentElement.setAttribute("data-mantine-color-scheme", dark.matches ? "dark" : "light");
followScheme();
dark.addEventListener("change", followScheme);

const platform = connectPlatform(course.standard);
const run = createCourseRun(course, platform);
// Blocks write what is typed when the page is hidden, before this.
document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && run.commit());
for (const name of ["pagehide", "beforeunload"]) addEventListener(name, () => run.end());

createRoot(document.getElementById("root")!).render(
  <CourseScreen course={course} run={run} learner={platform.learner} isConnected={platform.isConnected} />,
);
