import { sql } from "kysely";
import type { Ctx } from "#server/core/http/http.ts";
import { checkIn } from "#server/events/checkin/checkIns.ts";
import { registerFor } from "#server/events/registrations/registrations.ts";
import { cancelEvent, publishEvent } from "#server/events/statusChanges.ts";
import { createEvent } from "#server/events/service.ts";
import { wallOf } from "#server/events/eventTimes.ts";
import { eventInput } from "#shared/events/eventInput.ts";
import { registrationInput } from "#shared/events/eventRegistrations.ts";
import type { AdminEvent } from "#shared/events/eventViews.ts";
import type { User } from "#shared/core/users.ts";
import type { z } from "zod";

const ZONE = "Europe/Oslo";
const guests = [
  "Ragnhild Voll",
  "Mikkel Aas",
  "Sofia Lind",
  "Omar Farah",
  "Greta Holm",
  "Tor Bakken",
  "Lucia Ferri",
  "Bjørn Teigen",
  "Anna Kowalska",
  "Daniel Osei",
  "Runa Sletten",
  "Felix Brandt",
  "Nora Hjelm",
  "Ivan Petrov",
  "Silje Foss",
  "Pavel Novak",
];
/** The local time in Oslo in `days` days at a given hour. */
const localTime = (days: number, hour: string) =>
  `${wallOf(new Date(Date.now() + days * 86_400_000).toISOString(), ZONE).slice(0, 10)}T${hour}`;
const notice =
  "Norrvik Energi uses what you enter to run this event. " +
  "You can have it shown, changed and deleted at any time: write to academy@norrvik.example.";
const question = (label: string, options: string[]) => ({
  id: crypto.randomUUID(),
  label,
  kind: "select" as const,
  options,
});

/** Adds upcoming, full, cancelled and past events with guests, through the application's own services. */
export async function addEvents(ctx: Ctx<User>, company: { id: string }) {
  const publish = async (input: z.input<typeof eventInput>) => {
    const draft = await createEvent(
      ctx,
      eventInput.parse({
        privacyNotice: notice,
        organiserName: "Norrvik Academy",
        organiserEmail: "academy@norrvik.example",
        requireEmailConfirmation: false,
        ...input,
      }),
    );
    return publishEvent(ctx, draft.id, draft.version);
  };
  const registerGuests = async (event: AdminEvent, count: number) => {
    for (const [n, name] of guests.slice(0, count).entries()) {
      const form = registrationInput.parse({
        name,
        email: `${name.toLowerCase().replaceAll("ø", "o").replace(" ", ".")}@guest.example`,
        company: n % 3 ? "Fjord Logistics" : "Havn & Co",
        questionVersion: event.questionVersion,
        privacyAccepted: true,
        timezone: ZONE,
        ...(event.attendanceMode === "hybrid" && { attendance: n % 4 === 3 ? "online" : "in_person" }),
        answers: Object.fromEntries(
          event.questions.map(({ id, options }) => [id, options[n % options.length] as string]),
        ),
      });
      await registerFor({ ...ctx, user: null }, event.slug, form, { network: `demo ${event.id}` });
      // Registrations are limited per hour; these guests registered over several months.
      await ctx.db.deleteFrom("throttles").execute();
    }
  };
  const hall = {
    name: "Norrvik House",
    street: "Bryggen 12",
    postalCode: "5003",
    city: "Bergen",
    country: "Norway",
    mapUrl: "",
  };
  const speakers = [
    {
      id: crypto.randomUUID(),
      name: "Hanne Dahl",
      role: "Head of HSE, Norrvik Energi",
      bio: "Twenty years offshore, ten of them responsible for the people there.",
    },
    { id: crypto.randomUUID(), name: "Amara Okafor", role: "Occupational psychologist", bio: "" },
  ];
  const day = await publish({
    title: "HSE day: safe on every shift",
    summary: "A day about lifting, heights and speaking up, with people who do it every day.",
    category: "Safety",
    timezone: ZONE,
    startsLocal: localTime(16, "09:00"),
    endsLocal: localTime(16, "15:30"),
    attendanceMode: "hybrid",
    venue: hall,
    onlineUrl: "https://meet.norrvik.example/hse-day",
    capacity: 40,
    capacityOnline: 200,
    speakers,
    questions: [question("What would you like to eat?", ["Everything", "Vegetarian", "Vegan"])],
    description: [
      "## What you will learn",
      "",
      "- how a lift is planned, step by step",
      "- what to do when someone freezes at height",
      "- how to say stop when it matters",
      "",
      "Bring **sturdy shoes** for the practical part.",
    ].join("\n"),
    agenda: [
      ["09:00", "Coffee and welcome"],
      ["09:30", "A lift, from plan to hook"],
      ["11:00", "Freezing at height"],
      ["13:00", "Say stop: a workshop"],
    ].map(([hour, title], n) => ({
      id: crypto.randomUUID(),
      startsAt: localTime(16, hour as string),
      title: title as string,
      speakerIds: n % 2 ? [speakers[0]?.id as string] : [],
    })),
  });
  await registerGuests(day, 11);
  const course = await publish({
    title: "First aid in a small group",
    summary: "Four hours, eight people, two instructors.",
    category: "Safety",
    timezone: ZONE,
    startsLocal: localTime(6, "12:00"),
    endsLocal: localTime(6, "16:00"),
    venue: hall,
    capacity: 8,
    offerMinutes: 360,
  });
  await registerGuests(course, 13);
  await publish({
    title: "Phishing: an hour with the security team",
    summary: "Real emails, real mistakes, and what gave them away.",
    category: "Security",
    timezone: ZONE,
    startsLocal: localTime(24, "10:00"),
    endsLocal: localTime(24, "11:00"),
    attendanceMode: "online",
    onlineUrl: "https://meet.norrvik.example/phishing",
  });
  await publish({
    title: "Meet your mentors",
    summary: "For employees of Norrvik Energi only.",
    category: "Community",
    timezone: ZONE,
    startsLocal: localTime(11, "16:00"),
    endsLocal: localTime(11, "18:00"),
    venue: hall,
    visibility: "company",
    companyId: company.id,
    registrationMode: "approval",
    capacity: 20,
  });
  const cancelled = await publish({
    title: "Open house at the yard",
    category: "Community",
    timezone: ZONE,
    startsLocal: localTime(3, "11:00"),
    endsLocal: localTime(3, "14:00"),
    venue: { ...hall, name: "Norrvik yard" },
  });
  await registerGuests(cancelled, 4);
  await cancelEvent(ctx, cancelled.id, {
    version: cancelled.version,
    reason: "The quay is closed for repairs. We plan a new date in spring.",
  });
  const past = await publish({
    title: "Working at heights: refresher",
    summary: "What has changed in the rules, and practice on the mast.",
    category: "Safety",
    timezone: ZONE,
    startsLocal: localTime(1, "09:00"),
    endsLocal: localTime(1, "12:00"),
    venue: hall,
    capacity: 16,
  });
  await registerGuests(past, 14);
  const attended = await ctx.db
    .selectFrom("eventRegistrations")
    .where("eventId", "=", past.id)
    .select("id")
    .orderBy("queueNumber")
    .limit(11)
    .execute();
  for (const { id } of attended) await checkIn(ctx, id, { device: "Entrance" });
  await backdate(ctx, past, 20);
}

/** Moves an event and its registrations into the past. */
async function backdate({ db }: Ctx<User>, event: AdminEvent, days: number) {
  const back = sql<string>`make_interval(days => ${days + 1})`;
  const moveBack = (local: string) =>
    `${new Date(Date.parse(`${local}:00Z`) - (days + 1) * 86_400_000).toISOString().slice(0, 16)}`;
  await db
    .updateTable("events")
    .set({
      startsLocal: moveBack(event.startsLocal),
      endsLocal: moveBack(event.endsLocal),
      startsAt: sql`starts_at - ${back}`,
      endsAt: sql`ends_at - ${back}`,
    })
    .where("id", "=", event.id)
    .execute();
  await db
    .updateTable("eventRegistrations")
    .set({
      createdAt: sql`created_at - ${back} - interval '5 days'`,
      confirmedAt: sql`confirmed_at - ${back} - interval '5 days'`,
      attendedAt: sql`(select starts_at from events where id = event_id) + random() * interval '20 minutes'`,
    })
    .where("eventId", "=", event.id)
    .where("attendedAt", "is not", null)
    .execute();
  await db
    .updateTable("eventRegistrations")
    .set({
      createdAt: sql`created_at - ${back} - interval '4 days'`,
      confirmedAt: sql`confirmed_at - ${back} - interval '4 days'`,
    })
    .where("eventId", "=", event.id)
    .where("attendedAt", "is", null)
    .execute();
}
