import {
  deleted,
  OTHER_PERSON,
  ownedBy,
  type PersonalData,
  SAME_PERSON,
  training,
} from "#server/core/domains/personalData.ts";
import { REMINDER_DAYS } from "#shared/reminders/reminders.ts";

export const personalData: PersonalData = {
  entries: [deleted("reminders", "reminders", "Reminders of your courses", ownedBy("user_id"))],
  sections: [
    {
      key: "reminders",
      purpose: "Reminding you of courses you have not completed",
      basis: training,
      retention: `${REMINDER_DAYS} days`,
      table: "reminders",
      extra: "(select title from courses where courses.id = reminders.course_id) as course",
      omit: { user_id: SAME_PERSON, recipient_id: OTHER_PERSON },
      keys: ["id"],
      where: ownedBy("user_id"),
    },
  ],
};
