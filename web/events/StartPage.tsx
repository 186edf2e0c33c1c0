import { HomePage } from '#web/core/HomePage.tsx'
import { NextEvents } from '#web/events/NextEvents.tsx'

/** The public start page, with the next events when there are any. */
export const StartPage = () => <HomePage><NextEvents /></HomePage>
