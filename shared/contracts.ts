import { auth } from '#shared/auth.ts'
import { companies } from '#shared/companies.ts'
import { courses } from '#shared/courses.ts'
import { events } from '#shared/events.ts'
import { learners } from '#shared/learners.ts'
import { mails } from '#shared/mails.ts'
import { player } from '#shared/player.ts'
import { reports } from '#shared/reports.ts'

/** Every endpoint of the product, by domain: OpenAPI and the guard test walk this list. */
export const contracts = { auth, companies, learners, courses, player, reports, mails, events }
