import { join } from "#server/catalogue/joining.ts";
import { createOffer } from "#server/catalogue/offers.ts";
import { inTransaction } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { getCourse, setCourseStatus, updateCourse } from "#server/courses/service.ts";
import { writeLessons } from "#server/demo/demoWriting.ts";
import {
  bullets,
  choices,
  feedback,
  lesson,
  paragraph,
  practice,
  question,
  text,
} from "#server/demo/lessons/writing.ts";
import { publishDraft } from "#server/lessons/drafts/publishing.ts";
import { createDraft, getDraft } from "#server/lessons/drafts/service.ts";
import { offerTerms } from "#shared/catalogue/terms.ts";
import type { User } from "#shared/core/users.ts";
import type { Lesson } from "#shared/lessons/lessonDocument.ts";

type Demo = {
  companyId: string;
  phishingId: string;
  conversationsId: string;
  heightsId: string;
  learners: User[];
};

/** Four courses to take or ask for; two people led by Sigrid Berg have asked. */
export async function addCatalogue(ctx: Ctx<User>, demo: Demo) {
  const { companyId, phishingId, conversationsId, heightsId, learners } = demo;
  const birdsId = await addCourse(ctx, birds);
  const firstAidId = await addCourse(ctx, firstAid);
  const offer = (courseId: string, terms: object) =>
    createOffer(ctx, companyId, { courseId, terms: offerTerms.parse({ languages: ["en"], ...terms }) });
  await offer(birdsId, { way: "self" });
  await offer(heightsId, { way: "self", requires: [phishingId] });
  await offer(conversationsId, { way: "request", priceMinor: 180_000, currency: "NOK", costCentre: "4100 Training" });
  const { id } = await offer(firstAidId, {
    way: "request",
    places: 3,
    priceMinor: 95_000,
    currency: "NOK",
    costCentre: "4200 Safety",
  });
  const [, , ...others] = learners;
  const notes = ["I work alone at the substations.", "My certificate from 2023 has expired."];
  for (const [at, user] of others.slice(0, 2).entries())
    await join({ ...ctx, user }, id, { as: "ask", note: notes[at] ?? "" });
}

type Course = {
  title: string;
  module: string;
  code: string;
  minutes: number;
  summary: string;
  lessons: () => Lesson[];
};

const birds: Course = {
  title: "Birds and power lines",
  module: "On your way",
  code: "BIRDS-01",
  minutes: 15,
  summary: "What to report when you see a nest on a mast, and to whom.",
  lessons: () => [
    lesson("A nest on a mast", 8, [
      paragraph(
        "Ospreys and ravens like masts: they are high, and nobody climbs them. A nest of branches can " +
          "bridge two conductors when it is wet.",
      ),
      bullets(
        "**Do not remove it.** Nests in use are protected from March to August.",
        "Note the number of the mast, and whether birds are in the nest.",
        "Take a picture from the ground.",
      ),
    ]),
    lesson("Report it", 7, [
      paragraph("The control room decides whether the line is switched off. It needs three facts from you."),
      question({
        kind: "single",
        text: text("You see a nest with young birds on mast 114. What is the first thing that you do?"),
        ...practice,
        shuffle: true,
        feedback: feedback("The control room knows who may work there.", "Who works on a line is decided elsewhere."),
        choices: choices(
          "+ Report the number of the mast to the control room",
          "Climb up and look",
          "Wait until autumn",
        ),
      }),
    ]),
  ],
};

const firstAid: Course = {
  title: "First aid refresher",
  module: "Three emergencies",
  code: "AID-03",
  minutes: 45,
  summary: "Breathing, bleeding and burns, for people who have taken the full course before.",
  lessons: () => [
    lesson("Check and call", 15, [
      paragraph("Speak to the person, look at the chest for ten seconds, and call 113 on loudspeaker."),
      bullets("Breathing normally: side position.", "Not breathing normally: 30 compressions, then two breaths."),
    ]),
    lesson("Bleeding", 15, [
      paragraph("Press with both hands, and keep pressing. A dressing that is soaked gets a second one on top."),
    ]),
    lesson("Burns from electricity", 15, [
      paragraph("Switch off first. A small mark on the skin can hide a burn inside, so everyone goes to hospital."),
    ]),
  ],
};

async function addCourse(ctx: Ctx<User>, { title, module, code, minutes, summary, lessons }: Course) {
  const { id } = await createDraft(ctx, { title, language: "en" });
  const { modules: before } = await getDraft(ctx, id);
  await inTransaction(ctx.db, async (tx) => {
    await writeLessons(tx, id, [{ title: module, lessons: lessons() }], ctx.user.id);
    await tx
      .deleteFrom("lessonDrafts")
      .where("id", "=", before[0]?.lessons[0]?.id as string)
      .execute();
  });
  await publishDraft(ctx, id);
  const { version } = await getCourse(ctx, id);
  const updated = await updateCourse(ctx, id, { version, code, minutes, summary });
  if (updated.status !== "published") await setCourseStatus(ctx, id, { status: "published", version: updated.version });
  return id;
}
