import { expect, test } from "vitest";
import type { CourseStatus } from "#shared/courses/courses.ts";
import { CATCH_UP_DAYS, type ReminderStep, type ReminderTerms } from "#shared/reminders/reminders.ts";
import { createReminderTester, step } from "#test/reminders.ts";
import { createRandom } from "#test/random.ts";
import { start } from "#test/start.ts";

// A slow second program walks through the days and must send what the preview of each day says
