import { accounts } from '#shared/account.ts'
import { auth } from '#shared/auth.ts'
import { companies } from '#shared/companies.ts'
import { courses } from '#shared/courses.ts'
import { learners } from '#shared/learners.ts'
import { mails } from '#shared/mails.ts'
import { player } from '#shared/player.ts'
import { reports } from '#shared/reports.ts'
import { sso } from '#shared/sso.ts'

/** Every endpoint of the product, by domain: OpenAPI and the guard test walk this list. */
export const contracts = { auth, accounts, companies, learners, courses, player, reports, mails, sso }
